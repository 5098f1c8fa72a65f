import type { RunningChild, Scrip } from '@scrip/testing';
import { baselineMedian } from '../baseline-median';
import { callOf, openLoop, percentile } from '../load';
import { ManyCampaigns } from '../many-campaigns';
import { type Row, latencyRow } from '../row';

const perSecond = 20;
const warmUpSeconds = 5;
/** Campaigns of the small project for each of the large one. */
const largerBy = 20;

/** Highest accepted median with few campaigns, as a multiple of S, and of many, as a multiple of that with few. Source:
 *  architecture §12. */
const bars = { few: 15, many: 3 };

/** What a cart of three products qualifies for among active campaigns with rules: a twentieth of `campaigns`, and all of them. */
export const qualificationRows = async (
  scrip: Scrip,
  baseline: RunningChild,
  { seconds, campaigns }: { seconds: number; campaigns: number },
): Promise<Row[]> => {
  const project = new ManyCampaigns(scrip);
  const select = await baselineMedian(baseline, '/select', { perSecond, seconds });
  const measure = async (count: number) => {
    await project.growTo(count);
    const call = callOf(scrip, '/v1/qualifications', () => ({ order: project.order() }));
    await openLoop(call, perSecond, warmUpSeconds);
    const { latenciesMs, refused } = await openLoop(call, perSecond, seconds);
    if (refused > 0) throw new Error(`${refused} qualifications were refused`);
    return { p50: percentile(latenciesMs, 0.5), p95: percentile(latenciesMs, 0.95) };
  };
  const work = (count: number) =>
    `qualification over ${count.toLocaleString('en')} active campaigns with rules, ${perSecond}/s`;
  const few = Math.ceil(campaigns / largerBy);
  const small = await measure(few);
  const large = await measure(campaigns);
  return [
    latencyRow(work(few), small.p50, small.p95, 'S', select, bars.few),
    latencyRow(work(campaigns), large.p50, large.p95, 'with few', small.p50, bars.many),
  ];
};
