import type { Databases } from '@scrip/reconcile';
import { initialBalance, type VouchersTold } from '../load/voucher-load';
import { type Figure, none, told as toldFigure } from '../scenario';
import { rowsOf } from './rows';

const scalar = async (databaseUrl: string, sql: string, values: readonly unknown[] = []): Promise<number> =>
  Number((await rowsOf<{ n: string | null }>(databaseUrl, sql, values))[0]?.n ?? 0);

/** Tasks of imports that have not ended. */
export const openImports = ({ campaigns }: Databases): Promise<number> =>
  scalar(
    campaigns,
    `SELECT count(*) AS n FROM campaigns.tasks
     WHERE state->'work'->>'kind' = 'VOUCHERS.IMPORT' AND status NOT IN ('DONE', 'FAILED')`,
  );

const publicationFigures = async (databaseUrl: string, told: VouchersTold): Promise<Figure[]> => {
  const stored = await rowsOf<{ source_id: string; voucher_code: string }>(
    databaseUrl,
    `SELECT source_id, voucher_code FROM campaigns.publications WHERE result = 'SUCCESS'`,
  );
  const codes = new Map(stored.map(({ source_id, voucher_code }) => [source_id, voucher_code]));
  const lost = [...told.published].filter(([source_id, code]) => codes.get(source_id) !== code);
  const most = told.published.size + told.publicationsUnknown;
  const twice = await scalar(
    databaseUrl,
    `SELECT count(*) AS n FROM (SELECT FROM campaigns.holders WHERE role = 'OWNER'
     GROUP BY project_id, voucher_id HAVING count(*) > 1) h`,
  );
  const unlike = await scalar(
    databaseUrl,
    `SELECT count(*) AS n FROM campaigns.vouchers v
     LEFT JOIN campaigns.holders h ON h.project_id = v.project_id AND h.voucher_id = v.id
     WHERE v.campaign_id IN (SELECT campaign_id FROM campaigns.publications) AND v.publishable = (h.id IS NOT NULL)`,
  );
  return [
    toldFigure('publications stored', stored.length),
    none('publications told, but not stored or of another code', lost.length),
    none('publications stored beyond what was told', Math.max(0, stored.length - most)),
    none('vouchers with several owners', twice),
    none('vouchers that are free and owned, or neither', unlike),
  ];
};

const giftFigures = async (databaseUrl: string, told: VouchersTold): Promise<Figure[]> => {
  const cards = await rowsOf<{ code: string; balance: string; sum: string; count: number }>(
    databaseUrl,
    `SELECT v.code, v.state->'voucher'->'gift'->>'balance' AS balance, coalesce(sum(t.amount), 0) AS sum,
       count(t.id)::int AS count
     FROM campaigns.vouchers v
     LEFT JOIN campaigns.voucher_transactions t ON t.project_id = v.project_id AND t.voucher_id = v.id
     WHERE v.code = ANY($1) GROUP BY v.project_id, v.id`,
    [[...told.cards.keys()]],
  );
  let [lost, doubled, unlike, moved] = [0, 0, 0, 0];
  for (const { code, balance, sum, count } of cards) {
    const { amounts, unknown } = told.cards.get(code)!;
    moved += count;
    lost += Math.max(0, amounts.length - count);
    doubled += Math.max(0, count - amounts.length - unknown);
    const answered = amounts.reduce((total, amount) => total + amount, 0);
    const isFold = Number(balance) === initialBalance + Number(sum);
    if (!isFold || (unknown === 0 && Number(sum) !== answered)) unlike += 1;
  }
  return [
    toldFigure('movements of gift cards stored', moved),
    none('movements told, but not stored', lost),
    none('movements stored beyond what was told', doubled),
    none('cards whose balance is not the sum of their movements', told.cards.size - cards.length + unlike),
  ];
};

const importFigures = async (databaseUrl: string, told: VouchersTold): Promise<Figure[]> => {
  const tasks = await rowsOf<{ id: string; status: string; done: number; failed: number }>(
    databaseUrl,
    `SELECT id, status, (state->'async_action'->'result'->>'done_count')::int AS done,
       (state->'async_action'->'result'->>'failed_count')::int AS failed
     FROM campaigns.tasks WHERE state->'work'->>'kind' = 'VOUCHERS.IMPORT'`,
  );
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const unlike = [...told.imports].filter(([id, codes]) => {
    const task = byId.get(id);
    return !task || task.done + task.failed !== codes.length;
  });
  const done = tasks.reduce((sum, task) => sum + task.done, 0);
  const codes = [...new Set([...told.imports.values()].flat())];
  const found = await scalar(
    databaseUrl,
    'SELECT count(*) AS n FROM campaigns.vouchers WHERE code = ANY($1)',
    [codes],
  );
  const [stored, created] = await Promise.all([
    scalar(databaseUrl, `SELECT count(*) AS n FROM campaigns.vouchers WHERE code LIKE 'IMPORT-%'`),
    scalar(
      databaseUrl,
      `SELECT count(*) AS n FROM campaigns.events
       WHERE type = 'VoucherCreated' AND data->'voucher'->>'code' LIKE 'IMPORT-%'`,
    ),
  ]);
  return [
    toldFigure('imports taken in, and codes stored', `${told.imports.size}, ${stored}`),
    none('imports that did not tell of each of their codes', unlike.length),
    none('codes of imports that are not stored', codes.length - found),
    none('codes told as stored beyond or below those stored', Math.abs(done - stored)),
    none('codes created more or less than once', Math.abs(created - stored)),
  ];
};

/** Holds what callers were told of publications, gift cards and imports against what is stored. */
export const compareVouchers = async ({ campaigns }: Databases, told: VouchersTold): Promise<Figure[]> => [
  ...(await publicationFigures(campaigns, told)),
  ...(await giftFigures(campaigns, told)),
  ...(await importFigures(campaigns, told)),
  {
    what: 'answers about vouchers other than expected ones',
    measured: told.unexpected.length === 0 ? 0 : told.unexpected.slice(0, 5).join(', '),
    bar: '0',
    isMet: told.unexpected.length === 0,
  },
];
