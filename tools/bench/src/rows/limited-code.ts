import type { Scrip } from '@scrip/testing';
import { CustomersCode } from '../limited-code';
import { callersOfPopularCode as callers } from '../popular-code';
import type { Row } from '../row';

const slices = 4;
const least = 0.6;

const rate = (perSecond: number): string => `${Math.round(perSecond).toLocaleString('en')}/s`;

/** One code with a limit of its campaign and one per customer, beside one without, in slices taken in turn. */
export const limitedCodeRows = async (scrip: Scrip, { seconds }: { seconds: number }): Promise<Row[]> => {
  const open = await CustomersCode.of(scrip, { isLimited: false });
  const limited = await CustomersCode.of(scrip, { isLimited: true });
  for (let slice = 0; slice <= slices; slice += 1) {
    await open.redeem(seconds / slices);
    await limited.redeem(seconds / slices);
  }
  const [without, under] = [open.figures(), limited.figures()];
  const ratio = under.perSecond / without.perSecond;
  return [
    {
      work: `one code with a campaign and a customer limit, ${callers} callers`,
      measured: `${rate(under.perSecond)} (${ratio.toFixed(2)} × without), ${under.refused} refused`,
      baseline: `without limits ${rate(without.perSecond)}, in slices taken in turn`,
      bar: `≥ ${least} × without`,
      met: ratio >= least && under.refused === 0,
    },
  ];
};
