import { readFileSync } from 'node:fs';
import type { Row } from '../row';
import { discard, startScrip } from '@scrip/testing';

/** Resident memory of a process in MB, from /proc. */
const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

/** Measures the time from start to ready with the embedded PostgreSQL, first and repeated, and the memory of the idle
 *  Node process. */
export const startRows = async (): Promise<Row[]> => {
  const first = await startScrip();
  await first.stop();
  const again = await startScrip({ dataDir: first.dataDir });
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  const memoryMb = residentMb(again.pid);
  await discard(again);
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  return [
    {
      work: 'embedded: first start to ready',
      measured: seconds(first.readyMs),
      baseline: '–',
      bar: '≤ 15 s',
      met: first.readyMs <= 15_000,
    },
    {
      work: 'embedded: start to ready, existing data',
      measured: seconds(again.readyMs),
      baseline: '–',
      bar: '≤ 3 s (expected)',
      met: again.readyMs <= 3_000,
    },
    {
      work: 'embedded: idle memory of the Node process',
      measured: `${memoryMb.toFixed(0)} MB`,
      baseline: '–',
      bar: '≤ 350 MB (expected)',
      met: memoryMb <= 350,
    },
  ];
};
