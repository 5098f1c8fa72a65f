import { setTimeout as pause } from 'node:timers/promises';
import { setAsideOf } from '../checks/parked';
import { Deliveries } from '../load/deliveries';
import { type Scenario, atMost, none, told } from '../scenario';
import { type Distributed, startDistributed } from '../shape/distributed';
import type { TcpProxy } from '../shape/tcp-proxy';

const redemptions = 400;
const caughtUpWithinSeconds = 30;
const lookEveryMs = 1_000;

/** Redeems one code for a customer each; returns the redemptions' ids. */
const redeemForCustomers = async (shape: Distributed): Promise<string[]> => {
  const { id } = await shape.ask<{ id: string }>('POST', '/v1/campaigns', {
    name: 'Customers away',
    campaign_type: 'DISCOUNT_COUPONS',
    voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
  });
  await shape.ask('POST', `/v1/campaigns/${id}/vouchers/AWAY`, {});
  const ids: string[] = [];
  for (let number = 0; number < redemptions; number += 1) {
    const answer = await shape.ask<{ redemptions: { id: string }[] }>('POST', '/v1/redemptions', {
      redeemables: [{ object: 'voucher', id: 'AWAY' }],
      customer: { source_id: `customer-${number}` },
    });
    ids.push(...answer.redemptions.map((one) => one.id));
  }
  return ids;
};

const customersOf = ({ proxies }: Distributed): TcpProxy[] => [
  ...proxies.of('customers', 'rpc'),
  ...proxies.of('customers', 'http'),
];

/** Takes customers away while the fan-out of webhooks has their events to render: it holds its place, parks nothing, and
 *  catches up. Figures: docs/reliability.md#customers-away. */
export const customersAway: Scenario = {
  name: 'customers-away',
  what: 'customers away while webhooks about them are due',
  seconds: 900,
  async run({ seconds, tell }) {
    const shape = await startDistributed();
    try {
      const deliveries = await Deliveries.subscribe(shape);
      // The events wait before Kafka until customers are away, or they would be told before.
      shape.kafkaProxy.freeze();
      const ids = await redeemForCustomers(shape);
      const missing = (): number => {
        const { redemptions: received } = deliveries.summary();
        return ids.filter((id) => !received.has(id)).length;
      };
      for (const proxy of customersOf(shape)) proxy.freeze();
      shape.kafkaProxy.thaw();
      tell(`customers away, ${missing()} webhooks due`);
      const until = Date.now() + seconds * 1_000;
      let parkedMost = 0;
      while (Date.now() < until) {
        parkedMost = Math.max(parkedMost, await setAsideOf(shape.databases, 'webhooks.fan-out'));
        await pause(lookEveryMs);
      }
      const dueAtEnd = missing();
      for (const proxy of customersOf(shape)) proxy.thaw();
      const backAt = Date.now();
      tell(`customers are back, ${dueAtEnd} webhooks due`);
      while (missing() > 0 && Date.now() - backAt < 10 * caughtUpWithinSeconds * 1_000) await pause(100);
      const caughtUp = missing() === 0 ? (Date.now() - backAt) / 1_000 : null;
      const { repeatedEvents } = deliveries.summary();
      await deliveries.close();
      return [
        told('redemptions for a customer each', ids.length),
        told('webhooks due when customers came back', dueAtEnd),
        none('runs in which nothing was due, which show nothing', dueAtEnd === 0 ? 1 : 0),
        none('keys set aside while customers were away, at most', parkedMost),
        none('keys set aside after', await setAsideOf(shape.databases, 'webhooks.fan-out')),
        atMost('webhooks caught up after customers came back', caughtUp, caughtUpWithinSeconds, 's'),
        none('public events sent under two sendouts', repeatedEvents),
      ];
    } finally {
      await shape.stop();
    }
  },
};
