import type { RunningChild } from '@scrip/testing';
import { openLoop, percentile } from './load';

/** Median milliseconds of a path of the baseline server at so many calls per second, after a warm-up. */
export const baselineMedian = async (
  baseline: RunningChild,
  path: '/select' | '/commit',
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<number> => {
  const call = { origin: baseline.origin, path, headers: {}, body: () => '{}' };
  await openLoop(call, perSecond, 3);
  return percentile((await openLoop(call, perSecond, seconds)).latenciesMs, 0.5);
};
