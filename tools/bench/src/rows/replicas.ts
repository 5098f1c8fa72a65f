import { type Scrip, createDatabase, discard, startScrip } from '@scrip/testing';
import { rateOf } from '../load';
import { PopularCode, callersOfPopularCode as callers } from '../popular-code';
import type { Row } from '../row';

const sliceSeconds = 5;
const warmUpSeconds = 10;
const replicated = 'campaigns=2,qualification=2,customers=2';

/** Between two runs of the same the rate differs by as much on a busy machine. */
const noise = 0.05;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const sliced = async (codes: readonly PopularCode[], seconds: number): Promise<number[][]> => {
  const rates = codes.map((): number[] => []);
  for (const code of codes) await code.redeem(warmUpSeconds);
  for (let round = 0; round * sliceSeconds < seconds; round += 1) {
    const order = codes.map((code, index) => ({ code, index }));
    for (const { code, index } of round % 2 === 0 ? order : order.reverse())
      rates[index]?.push(rateOf(await code.redeem(sliceSeconds)));
  }
  return rates;
};

/** One popular code where the services that a redemption passes have two replicas each, against `scrip` with one each,
 *  in slices taken in turn. */
export const replicaRows = async (scrip: Scrip, { seconds }: { seconds: number }): Promise<Row[]> => {
  const two = await startScrip({
    databaseUrl: await createDatabase('scrip_replicas'),
    replicas: replicated,
  });
  try {
    const codes = [await PopularCode.of(scrip), await PopularCode.of(two)];
    const [one = Number.NaN, both = Number.NaN] = (await sliced(codes, seconds)).map(median);
    const uses = await Promise.all(codes.map((code) => code.uses()));
    const isExact = uses.every(({ counted, answered }) => counted === answered);
    return [
      {
        work: `one popular code, ${callers} callers, two replicas of each service`,
        measured: `${Math.round(both).toLocaleString('en')}/s (${(both / one).toFixed(2)} × one)${isExact ? '' : ', INEXACT'}`,
        baseline: `one replica of each ${Math.round(one).toLocaleString('en')}/s, in slices taken in turn`,
        bar: `≥ ${1 - noise} × one`,
        met: both >= (1 - noise) * one && isExact,
      },
    ];
  } finally {
    await discard(two);
  }
};
