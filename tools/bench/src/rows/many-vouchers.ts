import { campaignOf, type Scrip, taskEnds, waitUntil } from '@scrip/testing';
import { copyOfEqualRows } from '../copy-of-equal-rows';
import { percentile } from '../load';
import type { Row } from '../row';

/** Longest accepted time of an import, as a multiple of a COPY of the same rows. */
const timesCopy = 4;

/** Longest accepted time of the answer to a change of a campaign, ms. */
const longestAnswerMs = 200;
const changes = 10;

/** Fewest accepted vouchers per second of a bulk. */
const fewestPerSecond = 3_000;

/** Most codes of a campaign. Source: reference 04 §3. */
export const codesPerCampaignMax = 100_000;

interface Task {
  status: string;
  result?: { done_count: number; failed_count: number };
}

const many = (count: number): string => count.toLocaleString('en');

/** Calls, and waits for the end of the task that the call orders; returns the time in ms. */
const msUntilDone = async (scrip: Scrip, path: string, body: object, count: number): Promise<number> => {
  const startedAt = performance.now();
  const { async_action_id } = await scrip.ask<{ async_action_id: string }>('POST', path, body);
  const task = await taskEnds<Task>(scrip, async_action_id, { timeoutMs: 1_800_000, intervalMs: 50 });
  if (task.result?.done_count !== count)
    throw new Error(`${path} ended as ${JSON.stringify(task).slice(0, 500)}`);
  return performance.now() - startedAt;
};

/** An import of codes into a campaign, and a bulk of metadata of them, from POST until the task is done. */
export const manyVoucherRows = async (scrip: Scrip, databaseUrl: string, count: number): Promise<Row[]> => {
  const run = `${Date.now()}`;
  const { id } = await scrip.ask<{ id: string }>('POST', '/v1/campaigns', {
    name: `Bench import ${run}`,
    campaign_type: 'DISCOUNT_COUPONS',
    voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
  });
  const codes = Array.from({ length: count }, (_, n) => `I${run}-${n}`);
  const path = `/v1/campaigns/${id}/import`;
  const importMs = await msUntilDone(
    scrip,
    path,
    codes.map((code) => ({ code })),
    count,
  );
  const copyMs = await copyOfEqualRows(databaseUrl, id);
  const bulkMs = await msUntilDone(
    scrip,
    '/v1/vouchers/metadata/async',
    { codes, metadata: { shop: 'Rome' } },
    count,
  );
  const perSecond = count / (bulkMs / 1_000);
  return [
    {
      work: `import of ${many(count)} codes as JSON, POST begun → task DONE`,
      measured: `${(importMs / 1_000).toFixed(1)} s (${(importMs / copyMs).toFixed(1)} × COPY)`,
      baseline: `COPY of the same rows ${(copyMs / 1_000).toFixed(2)} s`,
      bar: `≤ ${timesCopy} × COPY of equal rows`,
      met: importMs <= timesCopy * copyMs,
    },
    {
      work: `metadata of ${many(count)} vouchers in bulk, POST begun → task DONE`,
      measured: `${(bulkMs / 1_000).toFixed(1)} s (${many(Math.round(perSecond))}/s)`,
      baseline: '–',
      bar: `≥ ${many(fewestPerSecond)}/s`,
      met: perSecond >= fewestPerSecond,
    },
  ];
};

/** Changes of a campaign with as many generated vouchers as one may hold, or `vouchers` where that is fewer: what its callers
 *  wait for, and until the vouchers have followed. */
export const largeUpdateRows = async (scrip: Scrip, vouchers: number): Promise<Row[]> => {
  const count = Math.min(vouchers, codesPerCampaignMax);
  const { id } = await campaignOf(scrip, `Bench update ${Date.now()}`, count);
  const answersMs: number[] = [];
  const startedAt = performance.now();
  for (let change = 1; change <= changes; change += 1) {
    const calledAt = performance.now();
    await scrip.ask('PUT', `/v1/campaigns/${id}`, {
      metadata: { change },
      discount: { type: 'PERCENT', percent_off: change, effect: 'APPLY_TO_ORDER' },
    });
    answersMs.push(performance.now() - calledAt);
  }
  await waitUntil(
    async () =>
      (await scrip.ask<{ creation_status: string }>('GET', `/v1/campaigns/${id}`)).creation_status === 'DONE',
    { what: 'the vouchers to follow', timeoutMs: 1_800_000, intervalMs: 50 },
  );
  const followedMs = performance.now() - startedAt;
  const slowest = Math.max(...answersMs);
  return [
    {
      work: `change of a campaign with ${many(count)} vouchers, PUT answered`,
      measured: `p50 ${percentile(answersMs, 0.5).toFixed(0)} ms, slowest of ${changes} ${slowest.toFixed(0)} ms; tasks of all ${changes} done after ${(followedMs / 1_000).toFixed(1)} s`,
      baseline: '–',
      bar: `slowest ≤ ${longestAnswerMs} ms`,
      met: slowest <= longestAnswerMs,
    },
  ];
};
