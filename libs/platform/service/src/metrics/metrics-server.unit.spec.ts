import { Metrics } from './metrics';
import { serveMetrics } from './metrics-server';

const host = '127.0.0.1';
const operated = () => ({ metrics: new Metrics(), readiness: { complaints: async () => ({}) } });

describe('the server of measurements', () => {
  it('takes another port where a port that nobody chose is in use, and ends where it was chosen', async () => {
    const first = await serveMetrics(operated(), { host, port: 0, fallback: false });
    const port = Number(new URL(first.url).port);
    const second = await serveMetrics(operated(), { host, port, fallback: true });
    expect(second.url).not.toBe(first.url);
    expect((await fetch(`${second.url}/metrics`)).status).toBe(200);
    await expect(serveMetrics(operated(), { host, port, fallback: false })).rejects.toThrow('EADDRINUSE');
    await Promise.all([first.close(), second.close()]);
  });

  it('says whether the process takes traffic', async () => {
    let complaints: Record<string, string> = { database: 'failing' };
    const readiness = { complaints: async () => complaints };
    const server = await serveMetrics(
      { metrics: new Metrics(), readiness },
      { host, port: 0, fallback: false },
    );
    const answer = await fetch(`${server.url}/readyz`);
    expect([answer.status, await answer.json()]).toEqual([503, { status: 'not_ready', complaints }]);
    complaints = {};
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await server.close();
  });

  it('closes although a connection is open', async () => {
    const server = await serveMetrics(operated(), { host, port: 0, fallback: false });
    await (await fetch(`${server.url}/metrics`)).text();
    await server.close();
    await expect(fetch(`${server.url}/metrics`)).rejects.toThrow('fetch failed');
  });
});
