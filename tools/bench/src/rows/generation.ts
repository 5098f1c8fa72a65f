import { type Scrip, campaignOf } from '@scrip/testing';
import { copyOfEqualRows } from '../copy-of-equal-rows';
import type { Row } from '../row';

const codes = 100_000;

/** Longest accepted time, as a multiple of a COPY of the same rows. Source: architecture §12. */
const timesCopy = 3;

/** A campaign with 100,000 vouchers, from POST answered until GET says DONE. */
export const generationRows = async (scrip: Scrip, databaseUrl: string): Promise<Row[]> => {
  const startedAt = performance.now();
  const { id } = await campaignOf(scrip, `Bench generation ${Date.now()}`, codes);
  const elapsedMs = performance.now() - startedAt;
  const baseMs = await copyOfEqualRows(databaseUrl, id);
  return [
    {
      work: 'campaign with 100,000 vouchers, POST answered → GET says DONE',
      measured: `${(elapsedMs / 1_000).toFixed(1)} s (${(elapsedMs / baseMs).toFixed(1)} × COPY)`,
      baseline: `COPY of the same rows ${(baseMs / 1_000).toFixed(2)} s`,
      bar: `≤ ${timesCopy} × COPY of equal rows`,
      met: elapsedMs <= timesCopy * baseMs,
    },
  ];
};
