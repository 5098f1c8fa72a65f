import { setTimeout as pause } from 'node:timers/promises';
import { StreamOrder } from '../checks/stream-order';
import { beginLoad, endAndCompare } from '../experiment';
import { type Scenario, none, told } from '../scenario';
import { startDistributed } from '../shape/distributed';

const beforeSeconds = 10;
const settleWithinSeconds = 120;

/** Kills the only broker and starts it again later, under load. Figures: docs/reliability.md#broker-down. */
export const brokerDown: Scenario = {
  name: 'broker-down',
  what: 'the only broker killed and away under load',
  seconds: 60,
  async run({ seconds, rate, tell }) {
    const shape = await startDistributed();
    try {
      const experiment = await beginLoad(shape, { rate });
      await pause(beforeSeconds * 1_000);
      await shape.kafka.kill();
      tell('broker killed');
      await pause(seconds * 1_000);
      const errorsWhileAway = experiment.load.told.errors();
      await shape.kafka.start();
      tell('broker is back');
      await pause(beforeSeconds * 1_000);
      const figures = await endAndCompare(experiment, () => shape.databases, settleWithinSeconds, tell);
      const order = await StreamOrder.watch(shape.kafka.brokers);
      const seen = await order.settled(shape.databases);
      await order.close();
      return [
        none('API errors, 503 included, until the broker was back', errorsWhileAway),
        ...figures,
        told('messages seen by a plain consumer / of them repeated', `${seen.messages} / ${seen.repeated}`),
        none('out of order within their stream', seen.outOfOrder),
        none('events that never came', seen.missing),
      ];
    } finally {
      await shape.stop();
    }
  },
};
