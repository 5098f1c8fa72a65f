import { type Scrip, freePort, startScrip } from '@scrip/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, newDataDir, removeDataDir, root } from './e2e/scrip-process.fixture';

/** The commands of the README's tutorial, in order. */
const tutorial = (): string => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const section = readme.slice(readme.indexOf('\n## Tutorial'), readme.indexOf('\n## The demo'));
  return [...section.matchAll(/^```bash\n([\s\S]*?)^```$/gm)].map(([, commands]) => commands).join('\n');
};

describe("the README's tutorial", () => {
  let server: Scrip;

  beforeAll(async () => {
    build();
    server = await startScrip({ dataDir: newDataDir(), choosesKeys: true });
  });
  afterAll(async () => {
    await server.stop();
    await removeDataDir(server.dataDir);
  });

  it('works line by line as it stands', async () => {
    const shell = spawn('bash', ['-euo', 'pipefail'], {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        SCRIP_DATA_DIR: server.dataDir,
        RECEIVER_PORT: String(await freePort()),
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let output = '';
    shell.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    shell.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    shell.stdin.end(tutorial());
    const [status] = (await once(shell, 'close')) as [number];
    const lines = output.split('\n');
    expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
    expect(output).toContain('"active":true');
    expect(output).toContain('"done_count":1000');
    expect(lines).toEqual(expect.arrayContaining(['2000', 'quantity_exceeded', 'SUCCESS', '0']));
    expect(lines.filter((line) => /^(campaign|voucher|redemption)\./.test(line)).sort()).toEqual([
      'campaign.vouchers.generation.completed',
      'redemption.failed',
      'redemption.succeeded',
      'voucher.created',
    ]);
  });
});
