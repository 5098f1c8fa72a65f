/** One line of the report. `bar`: the least or most that is accepted; `met` is null without a bar. Source:
 *  architecture §12. */
export interface Row {
  work: string;
  measured: string;
  baseline: string;
  bar: string;
  met: boolean | null;
}

const round = (value: number): string => value.toFixed(value < 10 ? 2 : 0);

/** A row whose figure is a latency ratio to a baseline's median. */
export const latencyRow = (
  work: string,
  p50: number,
  p95: number,
  baseline: string,
  base: number,
  most: number,
): Row => ({
  work,
  measured: `p50 ${round(p50)} ms, p95 ${round(p95)} ms (${(p50 / base).toFixed(1)} × ${baseline})`,
  baseline: `${baseline} = ${round(base)} ms`,
  bar: `≤ ${most} × ${baseline}`,
  met: p50 <= most * base,
});

/** A row whose figure is a rate that must reach `least` per second. */
export const rateRow = (work: string, perSecond: number, least: number, baseline = '–'): Row => ({
  work,
  measured: `${Math.round(perSecond).toLocaleString('en')}/s`,
  baseline,
  bar: `≥ ${Math.round(least).toLocaleString('en')}/s`,
  met: perSecond >= least,
});
