import { type Scrip, createDatabase, startScripOnTestServers } from '@scrip/testing';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, demo, newDataDir, removeDataDir, root, run } from './e2e/scrip-process.fixture';

/** The steps and checks of an output of the demo, in order, without what differs from run to run. */
const stepsAndChecks = (output: string): string[] =>
  output.split('\n').filter((line) => /^(\d+\. |✓ |The whole main job)/.test(line));

/** The output of the demo as the README shows it. */
const shown = (): string => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  return readme.slice(readme.indexOf('<!-- demo -->'), readme.indexOf('<!-- /demo -->'));
};

describe('npm run demo', () => {
  let dataDir: string;
  let server: Scrip | undefined;

  beforeAll(() => build());
  beforeEach(() => {
    dataDir = newDataDir();
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
    await removeDataDir(dataDir);
  });

  it('walks the main job twice against a running server, whose state and events agree afterwards', async () => {
    const databaseUrl = await createDatabase('main_job');
    server = await startScripOnTestServers({ dataDir, databaseUrl });
    for (let round = 1; round <= 2; round += 1) {
      const { status, output } = await run(demo, { SCRIP_DATA_DIR: dataDir });
      expect(output).toContain('The whole main job went as promised');
      expect(stepsAndChecks(output)).toEqual(stepsAndChecks(shown()));
      expect(output).not.toContain(server.credentials.app_token);
      expect(status).toBe(0);
    }
    await server.stop();
    const { status, output } = await run('apps/scrip/dist/verify-state.js', {
      SCRIP_DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
    });
    expect(output).toContain('campaigns: state and events agree');
    expect(output).toContain('qualification: state and events agree');
    expect(status).toBe(0);
  });
});
