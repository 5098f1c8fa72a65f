import { contextNames } from '@scrip/contracts/registry';
import { gatewayEdge } from '@scrip/edge/gateway';
import { bootGateway, type HttpProcess, readSettings, ScripLogger } from '@scrip/service';
import { once } from 'node:events';
import { connect } from 'node:net';

/** A port on which no process listens, nor begins to: a port that was free a moment ago may be another spec's by now. */
const deadPort = 1;

const bootAlone = async (): Promise<HttpProcess> => {
  const { distribution, ...settings } = readSettings({
    SCRIP_PORT: '0',
    SCRIP_SERVICES: contextNames.map((name) => `${name}=127.0.0.1:${deadPort}:${deadPort}`).join(','),
    SCRIP_INTERNAL_SECRET: 'internal-secret-of-the-test-suites',
    SCRIP_KAFKA_BROKERS: `127.0.0.1:${deadPort}`,
  });
  if (!distribution) throw new Error('unreachable: SCRIP_SERVICES is set');
  return bootGateway({
    config: { ...settings, distribution },
    edge: gatewayEdge,
    logger: new ScripLogger({ level: 'silent' }),
  });
};

describe('a gateway that ends', () => {
  it('does not wait for a connection on which nothing comes', async () => {
    const gateway = await bootAlone();
    const silent = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    await once(silent, 'connect');
    const gone = once(silent, 'close');
    silent.resume();
    await gateway.close();
    await gone;
  });
});

describe('a gateway whose services are not there yet', () => {
  let gateway: HttpProcess;

  beforeAll(async () => {
    gateway = await bootAlone();
  });
  afterAll(() => gateway.close());

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${gateway.url}${path}`, { headers });
    return { status: answer.status, text: await answer.text() };
  };

  it('is alive, and not ready before auth answers', async () => {
    expect(await get('/healthz')).toEqual({ status: 200, text: '{"status":"ok"}' });
    const { status, text } = await get('/readyz');
    expect(status).toBe(503);
    expect(JSON.parse(text)).toMatchObject({ status: 'not_ready', complaints: { auth: 'failing' } });
  });

  it('answers 503 in the shape of errors', async () => {
    const known = await get('/v1/campaigns', { 'x-app-id': 'app', 'x-app-token': 'secret' });
    const open = await get('/v1/assets/qr/a_1');
    for (const { status, text } of [known, open]) {
      expect(status).toBe(503);
      expect(JSON.parse(text)).toMatchObject({ code: 503, key: 'service_unavailable' });
    }
  });

  it('measures what it sends on', async () => {
    const text = await (await fetch(`${gateway.metricsUrl}/metrics`)).text();
    expect(text).toContain(
      'scrip_upstream_request_seconds_count{service="campaigns",outcome="unavailable"} 1',
    );
    expect(text).toContain('scrip_http_request_seconds_count{method="GET",route="/healthz",status="200"} 1');
  });

  it('shows what it offers', async () => {
    expect((await get('/openapi.json')).status).toBe(200);
  });
});
