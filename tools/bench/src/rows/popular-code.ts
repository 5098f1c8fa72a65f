import type { RunningChild, Scrip, Shape } from '@scrip/testing';
import { closedLoop, rateOf } from '../load';
import { PopularCode, callersOfPopularCode as callers } from '../popular-code';
import { type Row, rateRow } from '../row';

const work = `one popular code, ${callers} callers`;

/** One unlimited code with 64 callers; the count must be exact. */
export const popularCodeRows = async (
  scrip: Scrip,
  baseline: RunningChild,
  { seconds, shape }: { seconds: number; shape: Shape },
): Promise<Row[]> => {
  const code = await PopularCode.of(scrip);
  const plain = { origin: baseline.origin, path: '/redeem', headers: {}, body: () => '{}' };
  await closedLoop(plain, callers, 3);
  const base = rateOf(await closedLoop(plain, callers, seconds));
  await code.redeem(5);
  const rate = rateOf(await code.redeem(seconds));
  const { counted, answered, refused } = await code.uses();
  const row = rateRow(work, rate, 1.3 * base, `N = ${Math.round(base)}/s`);
  return [
    shape === 'embedded' ? row : { ...row, bar: '–', met: null },
    {
      work: 'one popular code: uses counted against uses answered',
      measured: `${counted} counted, ${answered} answered 2xx, ${refused} refused`,
      baseline: '–',
      bar: 'equal',
      met: counted === answered,
    },
  ];
};
