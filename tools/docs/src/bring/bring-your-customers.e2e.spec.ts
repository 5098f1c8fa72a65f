import { sharedScrip } from '@scrip/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { repositoryRoot } from '../types/source-program';

/** The commands of a page, in order. */
const commandsOf = (page: string): string =>
  [...readFileSync(join(repositoryRoot, 'docs', page), 'utf8').matchAll(/^```bash\n([\s\S]*?)^```$/gm)]
    .map(([, commands]) => commands)
    .join('\n');

it('the commands of "Bring your customers" work line by line as they stand', async () => {
  const { dataDir } = await sharedScrip();
  const shell = spawn('bash', ['-euo', 'pipefail'], {
    cwd: repositoryRoot,
    env: { PATH: process.env.PATH, SCRIP_DATA_DIR: dataDir },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  shell.stdin.end(commandsOf('bring-your-customers.md'));
  const ended = once(shell, 'close');
  const [output, complaints] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
  expect({ status: (await ended)[0], complaints }).toEqual({ status: 0, complaints: '' });
  expect(output.split('\n')).toEqual([
    'Dry run: 3 customer(s) can be imported, 0 cannot.',
    '3 customer(s) imported successfully, 0 failed.',
    '',
    'Hopper, Grace',
    '12000',
    '',
  ]);
}, 240_000);
