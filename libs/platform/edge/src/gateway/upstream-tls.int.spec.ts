import { type InternalTls, servingTls } from '@scrip/rpc';
import { makeCertificates, waitUntil } from '@scrip/testing';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { FirstAnswers } from './first-answers';
import { answersItsHealth } from './health-question';
import { ServiceAddresses } from './service-addresses';
import { UpstreamAddress } from './upstream-address';

const own = makeCertificates('campaigns', 'gateway');
const foreign = makeCertificates('stranger');

describe('a service that demands certificates', () => {
  let server: Server;
  let origin: string;
  let served: string[];

  beforeAll(async () => {
    server = createServer(servingTls(own.campaigns, 60_000), (request, response) => {
      // A gateway that waits for a second asks for the health too.
      if (request.url !== '/healthz') served.push(`${request.headers.host} ${request.url}`);
      response.end('{}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => (served = []));
  afterAll(() => server.close());

  const ask = async (tls: InternalTls | null, host: string, from = origin): Promise<number> => {
    const address = new UpstreamAddress(from, undefined, tls);
    try {
      const request = {
        method: 'GET',
        url: '/v1/x',
        headers: { host },
        mayRepeat: true,
        body: null,
        project: null,
        takeRoom: () => undefined,
        deadlineAt: Infinity,
      };
      return (await address.send(request, new AbortController().signal)).status;
    } finally {
      await address.close();
    }
  };

  it('answers a gateway, whatever host its caller named', async () => {
    expect(await ask(own.gateway, 'api.shop.example')).toBe(200);
    expect(await ask(own.gateway, '127.0.0.1:3000')).toBe(200);
    expect(served).toEqual(['api.shop.example /v1/x', '127.0.0.1:3000 /v1/x']);
  });

  it.each<[string, InternalTls | null]>([
    ['without a certificate', { ...own.gateway, cert: '', key: '' }],
    ['with the certificate of another authority', { ...foreign.stranger, ca: own.gateway.ca }],
    ['that does not know its authority', foreign.stranger],
    ['without anything', null],
  ])('refuses a gateway %s', async (_, tls) => {
    await expect(ask(tls, 'api.shop.example')).rejects.toThrow();
    expect(served).toEqual([]);
  });

  it('refuses a gateway without encryption', async () => {
    await expect(ask(null, 'api.shop.example', origin.replace('https', 'http'))).rejects.toThrow();
    expect(served).toEqual([]);
  });

  it('is found ready by a gateway with a certificate, and by no other', async () => {
    const httpPort = Number(new URL(origin).port);
    const complaintOf = async (tls: InternalTls | null): Promise<string | null> => {
      const addresses = new ServiceAddresses([{ host: '127.0.0.1', httpPort }], tls);
      await addresses.start();
      const complaint = await new FirstAnswers(new Map([['campaigns', addresses]])).complaint();
      await addresses.close();
      return complaint;
    };
    // A question has 1.5 s.
    await waitUntil(async () => (await complaintOf(own.gateway)) === null, { what: 'an answer in time' });
    expect(await complaintOf(null)).toBe('not ready yet: campaigns');
  });

  it('tells its health to a gateway only', async () => {
    expect(await answersItsHealth(origin, AbortSignal.timeout(60_000), own.gateway)).toBe(true);
    expect(
      await answersItsHealth(origin, AbortSignal.timeout(60_000), { ...own.gateway, cert: '', key: '' }),
    ).toBe(false);
  });
});
