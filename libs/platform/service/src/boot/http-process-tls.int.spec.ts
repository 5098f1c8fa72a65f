import { askingTls, type InternalTls } from '@scrip/rpc';
import { makeCertificates } from '@scrip/testing';
import { get } from 'node:https';
import { contextNames } from '@scrip/contracts/registry';
import { readSettings } from '../config/scrip-config';
import { ScripLogger } from '../logging/scrip-logger';
import { Metrics } from '../metrics/metrics';
import { GatewayModule } from './gateway.module';
import { type HttpProcess, startHttpProcess } from './http-process';

const own = makeCertificates('auth', 'gateway');
const foreign = makeCertificates('stranger');

const start = (tls: InternalTls): Promise<HttpProcess> => {
  const { distribution, ...config } = readSettings({
    SCRIP_PORT: '0',
    SCRIP_SERVICES: contextNames.map((name) => `${name}=127.0.0.1:1:1`).join(','),
    SCRIP_INTERNAL_SECRET: 'internal-secret-of-the-test-suites',
    SCRIP_KAFKA_BROKERS: '127.0.0.1:1',
  });
  if (!distribution) throw new Error('unreachable: SCRIP_SERVICES is set');
  const metrics = new Metrics();
  return startHttpProcess({
    name: 'test',
    root: GatewayModule.of({ ...distribution, tls }, metrics),
    config: { ...config, distribution },
    metrics,
    fastifyOptions: {},
    tls,
    logger: new ScripLogger({ level: 'silent' }),
    assemble: () => ({}),
  });
};

describe('a service process with certificates', () => {
  let running: HttpProcess;

  beforeAll(async () => {
    running = await start(own.auth);
  });
  afterAll(() => running.close());

  const statusFor = (tls: InternalTls): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const question = get(`${running.url}/healthz`, { agent: false, ...askingTls(tls) }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      question.once('error', reject);
    });

  it('serves who has a certificate of its authority', async () => {
    expect(running.url).toMatch(/^https:/);
    expect(await statusFor(own.gateway)).toBe(200);
  });

  it('refuses everybody else', async () => {
    await expect(statusFor({ ...own.gateway, cert: '', key: '' })).rejects.toThrow();
    await expect(statusFor({ ...foreign.stranger, ca: own.gateway.ca })).rejects.toThrow();
  });

  it('tells those who operate it without a certificate whether it is ready', async () => {
    expect((await fetch(`${running.metricsUrl}/readyz`)).status).toBe(200);
  });
});
