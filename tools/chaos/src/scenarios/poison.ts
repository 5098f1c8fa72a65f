import { setTimeout as pause } from 'node:timers/promises';
import { topics } from '@scrip/contracts/registry';
import { waitUntil } from '@scrip/testing';
import { type GroupTopic, parkedOf, repair } from '../checks/parked';
import { rowsOf } from '../checks/rows';
import { TopicTap, messagesIn, send } from '../checks/topic-tap';
import { beginLoad, endAndCompare } from '../experiment';
import { type Scenario, atMost, none, told } from '../scenario';
import { type Distributed, startDistributed } from '../shape/distributed';
import { operate } from '../shape/operate';

const parkedWithinSeconds = 15;
const settleWithinSeconds = 60;

/** Who consumes what: each of them has to set the poison of its topic aside. */
const readers: readonly GroupTopic[] = [
  { group: 'webhooks.fan-out', topic: topics.campaign },
  { group: 'webhooks.fan-out', topic: topics.voucher },
  { group: 'webhooks.fan-out', topic: topics.customer },
  { group: 'webhooks.fan-out', topic: topics.redemption },
  { group: 'campaigns.generation', topic: topics.campaignTask },
  { group: 'campaigns.additions', topic: topics.voucher },
  { group: 'operations.async-actions', topic: topics.campaignTask },
];
const poisoned = [...new Set(readers.map(({ topic }) => topic))];
const groups = [...new Set(readers.map(({ group }) => group))];

/** Something for every topic: a customer, and codes that are generated. */
const fillTopics = async (shape: Distributed): Promise<void> => {
  await shape.ask('POST', '/v1/campaigns', {
    name: 'Generated',
    campaign_type: 'DISCOUNT_COUPONS',
    vouchers_count: 3,
    voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } },
  });
  await shape.ask('POST', '/v1/redemptions', {
    redeemables: [{ object: 'voucher', id: 'OPEN-1' }],
    customer: { source_id: 'somebody' },
  });
};

/** Seconds until it is so; null when it never is. */
const secondsUntil = async (what: string, isSo: () => Promise<boolean> | boolean): Promise<number | null> => {
  const from = Date.now();
  try {
    await waitUntil(isSo, { what, timeoutMs: 60_000, intervalMs: 200 });
    return (Date.now() - from) / 1_000;
  } catch {
    return null; // The figure says so.
  }
};

const publicEventsOf = async (shape: Distributed, id: string): Promise<number> => {
  const [row] = await rowsOf<{ count: number }>(
    shape.databases.webhooks,
    `SELECT count(*)::int AS count FROM webhooks.public_events WHERE kind = 'voucher.created' AND entity_id = $1`,
    [id],
  );
  return row?.count ?? 0;
};

/** As if the voucher had never been told of. */
const forget = (shape: Distributed, id: string): Promise<object[]> =>
  rowsOf(
    shape.databases.webhooks,
    `WITH told AS (DELETE FROM webhooks.public_events WHERE kind = 'voucher.created' AND entity_id = $1 RETURNING id),
       sent AS (DELETE FROM webhooks.sendouts USING told WHERE public_event_id = told.id RETURNING sendouts.id)
     DELETE FROM webhooks.sendout_payloads USING sent WHERE sendout_id = sent.id`,
    [id],
  );

/** Puts a message that is no event into each consumed topic, and replays after the repair. Figures: docs/reliability.md#poison. */
export const poison: Scenario = {
  name: 'poison',
  what: 'a message that is no event in each consumed topic; then repaired, and replayed with npm run messaging',
  seconds: 30,
  async run({ seconds, rate, tell }) {
    const shape = await startDistributed();
    try {
      const experiment = await beginLoad(shape, { rate });
      await fillTopics(shape);
      await pause((seconds / 2) * 1_000);
      const tap = await TopicTap.on(shape.kafka.brokers, poisoned);
      const firstIn = (topic: string) => tap.messages.find((tapped) => tapped.topic === topic);
      await waitUntil(() => poisoned.every(firstIn), {
        what: 'a message of each topic',
        timeoutMs: 90_000,
      }).catch((error: unknown) => {
        throw new Error(`nothing in ${poisoned.filter((topic) => !firstIn(topic)).join(', ')}`, {
          cause: error,
        });
      });
      const genuine = poisoned.map((topic) => firstIn(topic)!);
      await tap.close();

      await send(
        shape.kafka.brokers,
        genuine.map(({ topic, partition }) => ({
          topic,
          partition,
          message: { value: Buffer.from('{"not":') },
        })),
      );
      const answeredBefore = experiment.load.told.calls.size;
      const isParked = async () => {
        const counts = await Promise.all(readers.map((reader) => parkedOf(shape.databases, reader)));
        return counts.every((count) => count === 1);
      };
      const parkedAfter = await secondsUntil('everything poisoned to be parked', isParked);
      const lettersOf = new Set(readers.map(({ group, topic }) => `${topic}.dlq.${group}`));
      const countLetters = async () => {
        const counts = await messagesIn(shape.kafka.brokers, (topic) => lettersOf.has(topic));
        return [...counts.values()].reduce((sum, count) => sum + count, 0);
      };
      const lettersAfter = await secondsUntil(
        'the dead letters',
        async () => (await countLetters()) === readers.length,
      );
      tell(`parked after ${parkedAfter} s, dead letters ${lettersAfter} s later`);
      await pause((seconds / 2) * 1_000);
      const answeredMeanwhile = experiment.load.told.calls.size - answeredBefore;

      const voucher = genuine.find(({ topic }) => topic === topics.voucher)!;
      const voucherId = (JSON.parse(String(voucher.message.value)) as { subject: string }).subject;
      await forget(shape, voucherId);
      for (const reader of readers) {
        const { message } = genuine.find(({ topic }) => topic === reader.topic)!;
        await repair(shape.databases, reader, message);
      }
      for (const group of groups) tell(`replay ${group}: ${await operate(shape, 'replay', group)}`);
      const toldOnce = await publicEventsOf(shape, voucherId);
      const again = await operate(shape, 'replay', 'webhooks.fan-out');
      return [
        told('readers poisoned', readers.length),
        atMost('all parked after', parkedAfter, parkedWithinSeconds, 's'),
        atMost('all in their dead-letter topics, after another', lettersAfter, parkedWithinSeconds, 's'),
        told('redemptions answered while keys were parked', answeredMeanwhile),
        {
          what: 'public events of a repaired message after its replay',
          measured: toldOnce,
          bar: '1',
          isMet: toldOnce === 1,
        },
        {
          what: 'a second replay',
          measured: again,
          bar: 'nothing is parked',
          isMet: again === 'nothing is parked',
        },
        none('of the repaired message beyond one', (await publicEventsOf(shape, voucherId)) - 1),
        ...(await endAndCompare(experiment, () => shape.databases, settleWithinSeconds, tell)),
      ];
    } finally {
      await shape.stop();
    }
  },
};
