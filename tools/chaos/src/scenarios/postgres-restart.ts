import { setTimeout as pause } from 'node:timers/promises';
import { waitUntil } from '@scrip/testing';
import { beginLoad, endAndCompare } from '../experiment';
import { type Scenario, atMost, told } from '../scenario';
import { startDistributed } from '../shape/distributed';

const restarts = 10;
const successWithinSeconds = 15;
const settleWithinSeconds = 60;

/** Stops PostgreSQL in immediate mode and starts it again, ten times. Figures: docs/reliability.md#postgres-restart. */
export const postgresRestart: Scenario = {
  name: 'postgres-restart',
  what: 'PostgreSQL stopped in immediate mode and started again, ten times',
  seconds: 150,
  async run({ seconds, rate, tell }) {
    const shape = await startDistributed();
    try {
      const experiment = await beginLoad(shape, { rate });
      const { told: callers } = experiment.load;
      const successAfter: number[] = [];
      for (let nth = 1; nth <= restarts; nth += 1) {
        await pause((seconds * 1_000) / restarts);
        const stoppedAt = Date.now();
        await shape.postgres.stopAtOnce();
        await shape.postgres.startAgain([shape.movableDatabase]);
        const startedAt = Date.now();
        await waitUntil(() => callers.lastSuccessAt > startedAt, {
          what: 'a success after the restart',
          timeoutMs: 120_000,
        });
        successAfter.push((callers.lastSuccessAt - stoppedAt) / 1_000);
        tell(`restart ${nth}: first success ${successAfter.at(-1)} s after the stop`);
      }
      return [
        told('restarts', restarts),
        atMost(
          'slowest first success, from the stop on',
          Math.max(...successAfter),
          successWithinSeconds,
          's',
        ),
        ...(await endAndCompare(experiment, () => shape.databases, settleWithinSeconds, tell)),
      ];
    } finally {
      await shape.stop();
    }
  },
};
