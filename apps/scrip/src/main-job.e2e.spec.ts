import { type Scrip, createDatabase, startScripOnTestServers } from '@scrip/testing';
import { demo, demoInReadme, stepsAndChecks } from './e2e/demo.fixture';
import { build, newDataDir, removeDataDir, run } from './e2e/scrip-process.fixture';

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
      expect(stepsAndChecks(output)).toEqual(stepsAndChecks(demoInReadme()));
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
