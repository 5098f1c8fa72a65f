import type { RunningChild, Scrip } from '@scrip/testing';
import { campaignOf } from '@scrip/testing';
import { callOf, closedLoop, percentile } from '../load';
import { latencyRow, type Row } from '../row';
import { codesPerCampaignMax } from './many-vouchers';

/** Until the process has compiled what a publication runs: a caller alone would take minutes. */
const warmUp = { callers: 32, seconds: 12 };
const settlingSeconds = 3;

/** Highest accepted median, as a multiple of C with as many callers. */
const timesCommit = 5;

/** Codes that a run can give away: more than a machine publishes in its time, as far as a campaign holds them. */
const codesFor = (seconds: number): number =>
  Math.min(codesPerCampaignMax, 2_500 * (seconds + warmUp.seconds + settlingSeconds));

/** Publications of generated codes, to one of 500 customers each, with one caller and with 32, of a process that has published thousands. */
export const publishingRows = async (
  scrip: Scrip,
  baseline: RunningChild,
  { seconds }: { seconds: number },
): Promise<Row[]> => {
  const rows: Row[] = [];
  const commit = { origin: baseline.origin, path: '/commit', headers: {}, body: () => '{}' };
  for (const callers of [1, 32]) {
    const name = `Bench publishing ${callers} ${Date.now()}`;
    await campaignOf(scrip, name, codesFor(seconds));
    let next = 0;
    const call = callOf(scrip, '/v1/publications', () => ({
      campaign: name,
      customer: { source_id: `reader-${(next += 1) % 500}` },
    }));
    await closedLoop(commit, callers, 3);
    const base = percentile((await closedLoop(commit, callers, seconds)).latenciesMs, 0.5);
    if (rows.length === 0) await closedLoop(call, warmUp.callers, warmUp.seconds);
    await closedLoop(call, callers, settlingSeconds);
    const { latenciesMs, refused } = await closedLoop(call, callers, seconds);
    if (refused > 0) throw new Error(`${refused} publications were refused`);
    const [p50, p95] = [percentile(latenciesMs, 0.5), percentile(latenciesMs, 0.95)];
    const work = `publication of a generated code, ${callers === 1 ? 'one caller' : `${callers} callers`}`;
    const row = latencyRow(work, p50, p95, 'C', base, timesCommit);
    const perSecond = Math.round(latenciesMs.length / seconds).toLocaleString('en');
    rows.push({ ...row, measured: `${row.measured}, ${perSecond}/s` });
  }
  return rows;
};
