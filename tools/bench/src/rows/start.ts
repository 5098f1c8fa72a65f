import { discard, startScrip } from '@scrip/testing';
import { residentMb } from '../resident-memory';
import type { Row } from '../row';

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
