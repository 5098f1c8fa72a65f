import { topics, contextNames } from '@scrip/contracts/registry';
import { setTimeout as pause } from 'node:timers/promises';
import { changedEffects, countEffects } from '../checks/effects';
import { rowsOf } from '../checks/rows';
import { untilSettled } from '../checks/settled';
import { TopicTap, messagesIn, send } from '../checks/topic-tap';
import { beginLoad, endAndCompare } from '../experiment';
import { type Scenario, none, told } from '../scenario';
import { type Distributed, startDistributed } from '../shape/distributed';

const settleWithinSeconds = 120;
/** For groups to notice that they were set back. */
const noticedWithinSeconds = 12;

const all: readonly string[] = Object.values(topics);

/** Sends every message of every topic two more times. */
const triple = async (shape: Distributed): Promise<number> => {
  const { brokers } = shape.kafka;
  const counts = await messagesIn(brokers, (topic) => all.includes(topic));
  const expected = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const tap = await TopicTap.on(brokers, [...counts.keys()]);
  while (tap.messages.length < expected) await pause(100);
  await tap.close();
  const messages = tap.messages.slice(0, expected);
  await send(brokers, messages);
  await send(brokers, messages);
  return expected;
};

const resetGroups = async (shape: Distributed): Promise<number> => {
  let groups = 0;
  for (const context of contextNames) {
    const reset = await rowsOf(
      shape.databases[context],
      `UPDATE ${context}.consumer_positions SET position = '0-0-0', recorded_at = NULL, starting_offset = NULL,
         parkings = parkings + 1 RETURNING 1`,
    );
    groups += reset.length;
  }
  return groups;
};

/** Sends every message three times, then resets all consumer groups to the beginning. Figures: docs/reliability.md#replays. */
export const replays: Scenario = {
  name: 'replays',
  what: 'every message of every topic tripled, then all consumer groups set back to the beginning',
  seconds: 30,
  async run({ seconds, rate, tell }) {
    const shape = await startDistributed();
    try {
      const experiment = await beginLoad(shape, { rate });
      await pause(seconds * 1_000);
      const figures = await endAndCompare(experiment, () => shape.databases, settleWithinSeconds, tell);
      const before = await countEffects(shape.databases);
      const deliveries = experiment.deliveries.count;
      const messages = await triple(shape);
      tell(`${messages} messages tripled`);
      await untilSettled(shape.databases, settleWithinSeconds);
      const positions = await resetGroups(shape);
      tell(`${positions} positions set back`);
      await pause(noticedWithinSeconds * 1_000);
      const settled = await untilSettled(shape.databases, settleWithinSeconds);
      for (const line of settled.details) tell(line);
      await pause(noticedWithinSeconds * 1_000);
      const changed = changedEffects(before, await countEffects(shape.databases));
      for (const line of changed) tell(line);
      return [
        told('messages sent two more times / positions set back', `${messages} / ${positions}`),
        none('tables that changed', changed.length),
        none('extra webhook deliveries', experiment.deliveries.count - deliveries),
        none('differences afterwards (npm run reconcile)', settled.differences),
        ...figures,
      ];
    } finally {
      await shape.stop();
    }
  },
};
