import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { demo } from './e2e/demo.fixture';
import { build, newDataDir, removeDataDir, run } from './e2e/scrip-process.fixture';

/** A server that is ready, and keeps none of its promises. */
const startUseless = async (dataDir: string): Promise<() => void> => {
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/readyz' ? 200 : 429;
    response.setHeader('content-type', 'application/json').end('{"code":429,"message":"Too many requests"}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const credentials = {
    base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    project_id: 'proj_demo',
    app_id: 'app',
    app_token: 'app-token',
    management_id: 'management',
    management_token: 'management-token',
    webhook_token: 'whsec_c2VjcmV0',
  };
  writeFileSync(join(dataDir, 'credentials.json'), JSON.stringify(credentials));
  return () => {
    server.close();
    server.closeAllConnections();
  };
};

// What the demo does with a server that keeps them is in main-job.e2e.spec.ts, and between services in readme.e2e.spec.ts.
describe('npm run demo', () => {
  let dataDir: string;

  beforeAll(() => build());
  beforeEach(() => {
    dataDir = newDataDir();
  });
  afterEach(() => removeDataDir(dataDir));

  it('starts a server where none runs, and ends it', async () => {
    const { status, output } = await run(demo, { SCRIP_DATA_DIR: dataDir, SCRIP_PORT: '0' });
    expect(output).toContain('starting one');
    expect(output).toContain('The whole main job went as promised');
    expect(status).toBe(0);
  });

  it('fails when something is not as promised', async () => {
    const stop = await startUseless(dataDir);
    const { status, output } = await run(demo, { SCRIP_DATA_DIR: dataDir });
    stop();
    expect(output).toContain('NotAsExpected');
    expect(status).toBe(1);
  });
});
