import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ClientTCP } from '@nestjs/microservices';
import { internalContext } from '@scrip/kernel';
import { TcpPorts, noPortMetrics, portClient } from '@scrip/rpc';
import { startChild } from '@scrip/testing';
import { lastValueFrom } from 'rxjs';
import { percentile } from '../load';
import { echoPort } from '../rpc-port';
import { type Row, rateRow } from '../row';

const request = {
  voucher: {
    id: 'v_0199f1f0a1b27d3e8f00112233445566',
    code: 'SPRING-2026-ABCDEFGH',
    campaign_id: 'camp_0199f1f0a1b27d3e8f00112233445566',
    discount: { type: 'PERCENT', percent_off: 15, effect: 'APPLY_TO_ORDER' },
    redemption: { quantity: 100, redeemed_quantity: 17 },
    metadata: { source: 'newsletter', note: 'gültig bis März' },
    start_date: '2026-03-01T00:00:00Z',
    expiration_date: '2026-03-31T23:59:59Z',
    active: true,
  },
};

const context = internalContext({
  id: 'proj_0199f1f0a1b27d3e8f00112233445566',
  name: 'Bench',
  timezone: 'Europe/Warsaw',
  currency: 'PLN',
  caseSensitiveCodes: false,
  apiVersion: '2018-08-01',
  webhookVersion: '2024-01-01',
  cluster: 'eu1',
});

type Echo = () => Promise<unknown>;

/** `callers` callers, each with its next call as soon as the last is answered. */
const load = async (echo: Echo, callers: number, seconds: number) => {
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  const caller = async (): Promise<void> => {
    for (let since = startedAt; since - startedAt < seconds * 1_000;) {
      since = performance.now();
      await echo();
      latenciesMs.push(performance.now() - since);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return {
    p50Ms: percentile(latenciesMs, 0.5),
    perSecond: latenciesMs.length / ((performance.now() - startedAt) / 1_000),
  };
};

// Calls are short and alike, so longer runs give the same figures.
const secondsMax = 5;

const figuresOf = async (echo: Echo, wanted: number) => {
  const seconds = Math.min(wanted, secondsMax);
  await load(echo, 32, 1);
  return { one: await load(echo, 1, seconds), many: await load(echo, 32, seconds) };
};

/** Calls between two processes on one machine, beside Nest's own TCP transport without handshake and deadlines. */
export const rpcRows = async (seconds: number): Promise<Row[]> => {
  const secret = randomBytes(32);
  const peer = await startChild(
    join(__dirname, '../rpc-peer.js'),
    { RPC_SECRET: secret.toString('base64url') },
    /on (\S+)/,
  );
  const [ours = 0, nests = 0] = peer.origin.split('/').map(Number);
  const tcp = new TcpPorts({ secret, addressesOf: () => [{ host: '127.0.0.1', port: ours }] });
  const client = new ClientTCP({ host: '127.0.0.1', port: nests });
  try {
    const port = portClient(echoPort, tcp.transportTo('echo'), noPortMetrics);
    const measured = await figuresOf(
      () => port.echo({ ...context, deadlineAt: Date.now() + 5_000 }, request),
      seconds,
    );
    const base = await figuresOf(() => lastValueFrom(client.send('echo', { context, request })), seconds);
    const { p50Ms } = measured.one;
    return [
      {
        work: 'call to another process, 1 caller',
        measured: `p50 ${p50Ms.toFixed(2)} ms`,
        baseline: `Nest's own TCP ${base.one.p50Ms.toFixed(2)} ms`,
        bar: '≤ 0.3 ms',
        met: p50Ms <= 0.3,
      },
      rateRow(
        'calls to another process, 32 callers',
        measured.many.perSecond,
        20_000,
        `Nest's own TCP ${Math.round(base.many.perSecond).toLocaleString('en')}/s`,
      ),
    ];
  } finally {
    client.close();
    await tcp.close();
    await peer.stop();
  }
};
