import { setTimeout as pause } from 'node:timers/promises';
import { rowsOf } from '../checks/rows';
import { StreamOrder } from '../checks/stream-order';
import { beginLoad, endAndCompare } from '../experiment';
import { type Scenario, none, told } from '../scenario';
import { type Distributed, startDistributed } from '../shape/distributed';

const everyMs = 3_000;
const frozenMs = 4_000;
const settleWithinSeconds = 120;

/** Ends the connections that hold advisory locks, relays' among them, as a network or an administrator does. */
const endLockHolders = async ({ databases }: Distributed): Promise<number> => {
  const ended = await rowsOf(
    databases.qualification,
    `SELECT pg_terminate_backend(pid) FROM (
       SELECT DISTINCT l.pid FROM pg_locks l JOIN pg_stat_activity a USING (pid)
       WHERE l.locktype = 'advisory' AND l.granted AND a.application_name LIKE 'scrip-%'
         AND a.application_name NOT LIKE 'scrip-owner-%') holders`,
  );
  return ended.length;
};

const freeze = async (shape: Distributed, label: string): Promise<void> => {
  const pid = shape.processes().get(label)?.pid;
  if (pid === undefined) throw new Error(`no process ${label}`);
  process.kill(pid, 'SIGSTOP');
  await pause(frozenMs);
  process.kill(pid, 'SIGCONT');
};

/** Ends connections of lock holders and freezes processes, so that relay leaders overlap. Figures: docs/reliability.md#relays. */
export const relays: Scenario = {
  name: 'relays',
  what: 'connections of lock holders ended and processes frozen, so that relay leaders change and overlap',
  seconds: 90,
  async run({ seconds, rate, tell }) {
    const shape = await startDistributed();
    try {
      const experiment = await beginLoad(shape, { rate });
      const replicated = [...shape.processes().keys()].filter((label) =>
        /^(campaigns|qualification)/.test(label),
      );
      const until = Date.now() + seconds * 1_000;
      let ended = 0;
      let frozen = 0;
      for (let turn = 0; Date.now() < until; turn += 1) {
        const label = replicated[turn % replicated.length] as string;
        // While one process stands still, the lock it holds is taken from it.
        const freezing = freeze(shape, label);
        await pause(frozenMs / 2);
        ended += await endLockHolders(shape);
        await freezing;
        frozen += 1;
        await pause(everyMs);
      }
      tell(`${frozen} processes frozen, ${ended} lock holders ended`);
      const figures = await endAndCompare(experiment, () => shape.databases, settleWithinSeconds, tell);
      const order = await StreamOrder.watch(shape.kafka.brokers);
      const seen = await order.settled(shape.databases);
      await order.close();
      return [
        told('processes frozen / lock holders ended', `${frozen} / ${ended}`),
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
