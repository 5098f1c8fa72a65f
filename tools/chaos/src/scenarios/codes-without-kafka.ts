import { setTimeout as pause } from 'node:timers/promises';
import { MemoryWatch } from '../checks/memory';
import { rowsOf } from '../checks/rows';
import { type Scenario, atMost, none, told } from '../scenario';
import { type Distributed, startDistributed } from '../shape/distributed';

const codesOfCampaignMax = 100_000;
const memoryMaxMb = 700;
const generatedWithinSeconds = 3_600;
const relayedWithinSeconds = 1_200;
const lookEveryMs = 1_000;

const processesOf = (shape: Distributed): number[] =>
  [...shape.processes()].filter(([label]) => label.startsWith('campaigns')).map(([, { pid }]) => pid);

const numberOf = async (shape: Distributed, sql: string): Promise<number> => {
  const [row] = await rowsOf<{ count: string }>(shape.databases.campaigns, sql);
  return Number(row?.count ?? 0);
};

/** Resolves with the seconds until `isSo`, or with null when time is up. */
const secondsUntil = async (isSo: () => Promise<boolean>, withinSeconds: number): Promise<number | null> => {
  const startedAt = Date.now();
  while (!(await isSo())) {
    if (Date.now() - startedAt > withinSeconds * 1_000) return null;
    await pause(lookEveryMs);
  }
  return (Date.now() - startedAt) / 1_000;
};

const unrelayed = (shape: Distributed): Promise<number> =>
  numberOf(
    shape,
    `SELECT count(*) AS count FROM campaigns.events e, campaigns.relay_positions r
     WHERE (e.epoch, e.ord, e.position) > (split_part(r.position, '-', 1)::int,
       split_part(r.position, '-', 2)::xid8, split_part(r.position, '-', 3)::bigint)`,
  );

/** Generates codes while the only broker is away: no call is refused, and the relay catches up in pages that fit into its
 *  memory. Figures: docs/reliability.md#codes-without-kafka. */
export const codesWithoutKafka: Scenario = {
  name: 'codes-without-kafka',
  what: '--count codes (5,000,000) generated while the only broker is away',
  seconds: 0,
  async run({ count, tell }) {
    const shape = await startDistributed({ campaigns: 2 });
    const memory = new MemoryWatch(() => processesOf(shape));
    try {
      await shape.kafka.kill();
      tell('broker killed');
      for (let left = count; left > 0; left -= codesOfCampaignMax) {
        await shape.ask('POST', '/v1/campaigns', {
          name: `Without Kafka ${left}`,
          campaign_type: 'DISCOUNT_COUPONS',
          vouchers_count: Math.min(left, codesOfCampaignMax),
          voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
        });
      }
      const made = (): Promise<number> => numberOf(shape, 'SELECT count(*) AS count FROM campaigns.vouchers');
      const generatedAfter = await secondsUntil(async () => (await made()) >= count, generatedWithinSeconds);
      tell(`${await made()} codes, ${await unrelayed(shape)} events wait for Kafka`);
      const waiting = await unrelayed(shape);
      await shape.kafka.start();
      const relayedAfter = await secondsUntil(
        async () => (await unrelayed(shape)) === 0,
        relayedWithinSeconds,
      );
      tell(`relayed ${relayedAfter} s after the broker was back`);
      return [
        told('codes generated while Kafka was away', await made()),
        atMost('time for them', generatedAfter, generatedWithinSeconds, 's'),
        told('events that waited for Kafka', waiting),
        none('runs in which no event waited, which show nothing', waiting === 0 ? 1 : 0),
        atMost('relayed after the broker was back', relayedAfter, relayedWithinSeconds, 's'),
        none('codes missing', count - (await made())),
        atMost('most memory of a process of campaigns', memory.end(), memoryMaxMb, 'MB'),
      ];
    } finally {
      memory.end();
      await shape.stop();
    }
  },
};
