import { type AddValue, type ListStatements, StatementValues, countOf, countedMax } from '@scrip/list-query';
import { voucherColumns, voucherSource } from './voucher.aggregate';

/** Conditions that a voucher `t` of a list fits together. */
export interface Branch {
  /** On columns of its own; names the project. */
  row: string;
  /** On what it shares with its definition `d`, and the same for a voucher that says all of it itself. `campaigns`: an array of the
   *  ids of the campaigns that it is of; null where the conditions name none. */
  shared: { definition: string; voucher: string; campaigns: string | null } | null;
}

interface PageOrder {
  orderBy: string;
  limit: number;
  offset: number;
  /** The condition of a cursor on `t`, which the count has not. */
  behind: ((add: AddValue) => string) | null;
}

/** How a selection ends: that of one definition's vouchers, that of one campaign's others, and that of all others. */
interface End {
  made: string;
  named: string;
  other: string;
}

type FirstRows = (columns: string, end: End) => string;

/** The first vouchers that say all of it themselves; of named campaigns the first of each, from the index that has them in order. For
 *  several at once the planner would walk those of all campaigns, however few of these there are. */
const saidThemselves = (
  { row, shared }: { row: string; shared: NonNullable<Branch['shared']> },
  columns: string,
  { named, other }: End,
): string => {
  const own = `t.filterable IS NOT NULL AND ${shared.voucher}`;
  return shared.campaigns === null
    ? `(SELECT ${columns} FROM vouchers t WHERE ${row} AND ${own} ${other})`
    : `(SELECT g.* FROM unnest(${shared.campaigns}) AS named(id) CROSS JOIN LATERAL (
          SELECT ${columns} FROM vouchers t WHERE ${row} AND t.campaign_id = named.id AND ${own} ${named}) g)`;
};

/** The first rows of a branch. Those of each definition that fits and those that say themselves what their definition does not
 *  are brought together: no statement reads more rows of a definition than the page or the count can show, however its
 *  vouchers lie among the others. */
const firstOf =
  ({ row, shared }: Branch, projectId: string): FirstRows =>
  (columns, end) =>
    shared === null
      ? `(SELECT ${columns} FROM vouchers t WHERE ${row} ${end.other})`
      : `(SELECT g.* FROM (
            SELECT d.id FROM voucher_definitions d
            WHERE d.project_id = ${projectId} AND d.newest AND ${shared.definition} OFFSET 0
          ) made CROSS JOIN LATERAL (
            SELECT ${columns} FROM vouchers t
            WHERE ${row} AND t.definition_id = made.id AND t.filterable IS NULL ${end.made}) g)
        UNION ALL
        ${saidThemselves({ row, shared }, columns, end)}`;

// A voucher used before its definition changed is given columns of its own by a job, a moment later.
const saysWhatTheNewestDoes = `coalesce((SELECT NOT r.parted FROM voucher_definitions r
  WHERE r.project_id = t.project_id AND r.id = t.definition_id AND r.revision = t.definition_revision), true)`;

/** The statements of a page and of its bounded count of the vouchers that fit one of the branches. Source: ADR 63. */
export const branchedListStatements = (
  branches: readonly Branch[],
  { orderBy, limit, offset, behind }: PageOrder,
  { projectId, values }: { projectId: string; values: readonly unknown[] },
): ListStatements => {
  const first: FirstRows = (columns, end) =>
    branches.map((branch) => `(${firstOf(branch, projectId)(columns, end)})`).join(' UNION ');
  const key = 't.project_id, t.id, t.created_at, t.updated_at, t.code_key';
  const ofPage = new StatementValues(values);
  const beyond = behind === null ? '' : `AND ${behind(ofPage.add)} `;
  const inOrder = `${beyond}ORDER BY ${orderBy} LIMIT ${limit + offset}`;
  const rows = first(key, {
    made: `AND ${saysWhatTheNewestDoes} ${inOrder}`,
    named: inOrder,
    other: inOrder,
  });
  const counted = `LIMIT ${countedMax}`;
  // By its index: the planner takes vouchers of one definition or campaign to lie anywhere, and would look through those of all
  // others.
  const byIndex = `ORDER BY t.created_at, t.id ${counted}`;
  return {
    page: {
      text: `SELECT ${voucherColumns}
        FROM (SELECT t.project_id, t.id FROM (${rows}) t ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}) p
        JOIN (${voucherSource}) ON t.project_id = p.project_id AND t.id = p.id
        ORDER BY ${orderBy}`,
      values: ofPage.all,
    },
    count: {
      text: countOf(`SELECT 1 FROM (${first('t.id', { made: byIndex, named: byIndex, other: counted })}) t`),
      values: [...values],
    },
    limit,
    offset,
    ...(behind !== null && { behindCursor: true }),
  };
};
