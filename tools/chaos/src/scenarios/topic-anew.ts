import { setTimeout as pause } from 'node:timers/promises';
import { topics } from '@scrip/contracts/registry';
import { removeTopic } from '../checks/topic-tap';
import { beginLoad, endAndCompare } from '../experiment';
import { type Scenario, told } from '../scenario';
import { killProcess, startDistributed } from '../shape/distributed';

const beforeSeconds = 10;
const settleWithinSeconds = 120;

/** Deletes the topic of redemptions while its consumers lag behind it, and kills them, so that nothing of it is left in
 *  memory. Figures: docs/reliability.md#topic-anew. */
export const topicAnew: Scenario = {
  name: 'topic-anew',
  what: 'the topic of redemptions deleted while its consumers lag; seconds: how far',
  seconds: 30,
  async run({ seconds, rate, tell }) {
    const shape = await startDistributed();
    try {
      const experiment = await beginLoad(shape, { rate });
      await pause(beforeSeconds * 1_000);
      const consumers = [...shape.processes().keys()].filter((label) => label.startsWith('webhooks'));
      const stopped = consumers.map((label) => shape.processes().get(label)!.pid);
      for (const pid of stopped) process.kill(pid, 'SIGSTOP');
      tell('consumers stand still');
      await pause(seconds * 1_000);
      await removeTopic(shape.kafka.brokers, topics.redemption);
      tell('the topic is gone');
      for (const label of consumers) {
        const readyMs = await killProcess(shape, label);
        tell(`${label} killed, ready again after ${Math.round(readyMs)} ms`);
      }
      await pause(beforeSeconds * 1_000);
      return [
        told('consumers that lagged and were killed', consumers.length),
        ...(await endAndCompare(experiment, () => shape.databases, settleWithinSeconds, tell)),
      ];
    } finally {
      await shape.stop();
    }
  },
};
