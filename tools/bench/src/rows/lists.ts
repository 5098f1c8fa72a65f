import { type Scrip, generationEnds } from '@scrip/testing';
import { percentile } from '../load';
import type { Row } from '../row';

const campaigns = 10;
const looks = 60;
const warmUpLooks = 20;

/** Longest accepted p95 of a page of ten, ms. */
const longestMs = 50;

/** Makes a campaign whose codes have its name as the metadata `season`; returns its id. */
const fill = async (scrip: Scrip, name: string, codesOfEach: number): Promise<string> => {
  const { id } = await scrip.ask<{ id: string }>('POST', '/v1/campaigns', {
    name,
    campaign_type: 'DISCOUNT_COUPONS',
    vouchers_count: codesOfEach,
    voucher: {
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' },
      metadata: { season: name },
    },
  });
  await generationEnds(scrip, id, codesOfEach);
  return id;
};

/** Pages to look at, by what they are of. */
const listsOf = (run: string, ids: readonly string[], code: string): Record<string, string> => ({
  'the newest': '',
  'one campaign': `campaign=${encodeURIComponent(`${run} 3`)}`,
  'metadata of one campaign': `filters[metadata.season][conditions][$is]=${encodeURIComponent(`${run} 4`)}`,
  'the beginning of a code': `filters[code][conditions][$starts_with]=${code.slice(0, 3)}`,
  'active, of two campaigns, page 50': [
    'filters[active][conditions][$active]=true',
    ...ids.slice(0, 2).map((id, index) => `filters[campaign_ids][conditions][$in][${index}]=${id}`),
    'page=50',
  ].join('&'),
  'never used': 'filters[redemption.redeemed_quantity][conditions][$less_than]=1',
});

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
};

const latenciesOf = async (scrip: Scrip, query: string): Promise<number[]> => {
  const latenciesMs: number[] = [];
  for (let look = -warmUpLooks; look < looks; look += 1) {
    const ms = await timed(() => scrip.ask('GET', `/v1/vouchers?limit=10&${query}`));
    if (look >= 0) latenciesMs.push(ms);
  }
  return latenciesMs;
};

/** Pages of lists with filters over many vouchers of ten campaigns, one caller. */
export const listRows = async (scrip: Scrip, vouchersCount: number): Promise<Row[]> => {
  const codesOfEach = Math.ceil(vouchersCount / campaigns);
  const run = `Bench lists ${Date.now()}`;
  const ids: string[] = [];
  for (let n = 1; n <= campaigns; n += 1) ids.push(await fill(scrip, `${run} ${n}`, codesOfEach));
  const { vouchers } = await scrip.ask<{ vouchers: { code: string }[] }>('GET', '/v1/vouchers?limit=1');
  const rows: Row[] = [];
  for (const [what, query] of Object.entries(listsOf(run, ids, vouchers[0]?.code ?? ''))) {
    const latenciesMs = await latenciesOf(scrip, query);
    const p95 = percentile(latenciesMs, 0.95);
    rows.push({
      work: `list of ${(campaigns * codesOfEach).toLocaleString('en')} vouchers: ${what}`,
      measured: `p50 ${percentile(latenciesMs, 0.5).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
      baseline: '–',
      bar: `p95 ≤ ${longestMs} ms`,
      met: p95 <= longestMs,
    });
  }
  return rows;
};
