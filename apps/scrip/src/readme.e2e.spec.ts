import { type ScripCredentials, freePort, sharedScrip, testedShape } from '@scrip/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { demo, demoInReadme, stepsAndChecks } from './e2e/demo.fixture';
import { root, run as runProgram } from './e2e/scrip-process.fixture';

/** The commands of the README's tutorial, in order. */
const tutorial = (): string => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const section = readme.slice(readme.indexOf('\n## Tutorial'), readme.indexOf('\n## The demo'));
  return [...section.matchAll(/^```bash\n([\s\S]*?)^```$/gm)].map(([, commands]) => commands).join('\n');
};

describe("the README's tutorial", () => {
  // The first project, as the user who started Scrip has it.
  let dataDir: string;
  let credentials: ScripCredentials;

  beforeAll(async () => {
    ({ dataDir } = await sharedScrip());
    credentials = JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')) as ScripCredentials;
  });

  /** Runs commands in a shell. What they leave running, as a failed step does with the receiver, ends with it. */
  const run = async (commands: string) => {
    const shell = spawn('bash', ['-euo', 'pipefail'], {
      cwd: root,
      detached: true,
      env: {
        PATH: process.env.PATH,
        SCRIP_DATA_DIR: dataDir,
        RECEIVER_PORT: String(await freePort()),
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let output = '';
    shell.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    shell.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    shell.stdin.end(commands);
    const closed = once(shell, 'close');
    const [status] = (await once(shell, 'exit')) as [number];
    try {
      process.kill(-(shell.pid as number), 'SIGKILL');
    } catch {
      // Nothing was left.
    }
    await closed;
    return { status, output };
  };

  // That it can be repeated, and how its commands fail, does not depend on the shape.
  const isEmbedded = testedShape() === 'embedded';

  it.each(isEmbedded ? ['once', 'once more'] : ['once'])('works line by line as it stands, %s', async () => {
    const { status, output } = await run(tutorial());
    const lines = output.split('\n');
    expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
    expect(output).toContain('"active":true');
    expect(output).toContain('"done_count":1000');
    expect(lines).toEqual(expect.arrayContaining(['2000', 'quantity_exceeded', 'SUCCESS', '0']));
    expect(lines).toEqual(expect.arrayContaining(['2000 + 1500 + 3000', '13500']));
    expect(lines).toContain('order.initial_amount $more_than_or_equal 15000 9000');
    expect(existsSync(join(root, 'webhooks.log'))).toBe(false);
    const { base_url, management_id, management_token, project_id } = credentials;
    const webhooks = await fetch(`${base_url}/management/v1/projects/${project_id}/webhooks`, {
      headers: { 'x-management-id': management_id, 'x-management-token': management_token },
    });
    expect(await webhooks.json()).toMatchObject({ total: 0 });
    expect(lines.filter((line) => /^(campaign|voucher|redemption)\./.test(line)).sort()).toEqual([
      'campaign.vouchers.generation.completed',
      'redemption.failed',
      ...Array<string>(5).fill('redemption.succeeded'),
      ...Array<string>(2).fill('voucher.created'),
    ]);
  });

  if (isEmbedded) {
    it('ends where a step fails, and shows its answer', async () => {
      const { status, output } = await run(tutorial().replace('scope=api', 'scope=nothing'));
      expect(status).not.toBe(0);
      expect(output).toMatch(/code: 400[^]*scope/);
      expect(output).not.toContain('"active"');
    });

    it('gives up what it waits for in vain, and names it', async () => {
      const prepared = tutorial()
        .slice(0, tutorial().indexOf('ACCESS_TOKEN='))
        .replace('sleep 0.2', 'sleep 0');
      const { status, output } = await run(`${prepared}\nwait_until false`);
      expect({ status, output }).toEqual({ status: 1, output: 'In vain: false\n' });
    });
  }

  // In one process, `main-job.e2e.spec.ts` runs it.
  if (!isEmbedded) {
    it('is followed by the demo, which prints the steps and checks that the README shows', async () => {
      const { status, output } = await runProgram(demo, { SCRIP_DATA_DIR: dataDir });
      expect(stepsAndChecks(output)).toEqual(stepsAndChecks(demoInReadme()));
      expect(status).toBe(0);
    });
  }
});
