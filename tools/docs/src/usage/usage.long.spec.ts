import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '../types/source-program';

const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** Of the programs that take options. */
const commands = ['messaging', 'keys', 'reconcile', 'bench', 'chaos'];

const programOf = (command: string): string => {
  const program = /(\S+\/dist\/\S+\.js)$/.exec(scripts[command] ?? '')?.[1];
  if (!program) throw new Error(`npm run ${command} runs no program`);
  return join(repositoryRoot, program);
};

const nowhere = join(tmpdir(), `scrip-usage-${process.pid}`);

/** What a command comes to on a machine without a database. */
const ended = async (command: string, ...words: string[]) => {
  const child = spawn(process.execPath, [programOf(command), ...words], {
    cwd: repositoryRoot,
    env: { PATH: process.env.PATH, SCRIP_DATA_DIR: nowhere },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const status = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { status: await status, stdout, stderr };
};

describe('a command', () => {
  afterAll(() => expect(existsSync(nowhere)).toBe(false));

  // They read their words by one function; each spawn loads the whole program.
  test.each(['keys', 'chaos'])('%s --help prints its usage, and needs no database', async (command) => {
    const { status, stdout, stderr } = await ended(command, '--help');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`npm run ${command}`);
  });

  test.each([...commands, 'verify:state'])(
    '%s with an unknown option says so beside its usage',
    async (command) => {
      const { status, stdout, stderr } = await ended(command, '--nonsense');
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toContain(`'--nonsense'`);
      expect(stderr).toContain(`npm run ${command}`);
      expect(stderr).not.toMatch(/^\s+at /m);
    },
  );

  test.each([
    ['messaging', 'relay-rewind', 'campaigns'],
    ['keys', 'issue', '--kind', 'server'],
    ['reconcile', '--settle', 'soon'],
    ['chaos', 'peace'],
  ])(
    '%s %s %s %s that is incomplete or names what there is not prints its usage',
    async (command, ...words) => {
      const { status, stdout, stderr } = await ended(command, ...words);
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toContain(`npm run ${command}`);
    },
  );
});
