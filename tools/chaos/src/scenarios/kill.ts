import { setTimeout as pause } from 'node:timers/promises';
import { beginAllLoads, endAllAndCompare } from '../experiment';
import { type Scenario, atMost, told } from '../scenario';
import { killProcess, startDistributed } from '../shape/distributed';

const everyMs = 10_000;
const readyWithinSeconds = 10;
const settleWithinSeconds = 60;

/** Kills each process in turn. Figures: docs/reliability.md#kill. */
export const kill: Scenario = {
  name: 'kill',
  what: 'kill -9 of each process in turn, one every 10 seconds',
  seconds: 300,
  async run({ seconds, rate, tell }) {
    const shape = await startDistributed();
    try {
      const loads = await beginAllLoads(shape, { rate });
      const labels = [...shape.processes().keys()];
      const until = Date.now() + seconds * 1_000;
      const readyMs: number[] = [];
      for (let turn = 0; Date.now() < until; turn += 1) {
        const label = labels[turn % labels.length] as string;
        const killAt = Date.now();
        readyMs.push(await killProcess(shape, label));
        tell(`${label} killed, ready again after ${Math.round(readyMs.at(-1) as number)} ms`);
        await pause(Math.max(0, killAt + everyMs - Date.now()));
      }
      return [
        told('processes killed', readyMs.length),
        atMost('slowest to be ready again', Math.max(...readyMs) / 1_000, readyWithinSeconds, 's'),
        ...(await endAllAndCompare(loads, () => shape.databases, settleWithinSeconds, tell)),
      ];
    } finally {
      await shape.stop();
    }
  },
};
