import { type ListStatements, countOf, mostCounted } from '@scrip/list-query';
import { voucherColumns, voucherSource } from './voucher.aggregate';

/** Conditions that a voucher `t` of a list fits together. */
export interface Branch {
  /** On columns of its own; names the project. */
  row: string;
  /** On what it shares with its definition `d`, and the same for a voucher that says all of it itself. */
  shared: { definition: string; voucher: string } | null;
}

interface PageOrder {
  orderBy: string;
  limit: number;
  offset: number;
}

/** How a selection ends: that of one definition's vouchers, and that of the others. */
interface End {
  made: string;
  other: string;
}

type FirstRows = (columns: string, end: End) => string;

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
        (SELECT ${columns} FROM vouchers t WHERE ${row} AND t.filterable IS NOT NULL AND ${shared.voucher} ${end.other})`;

// A voucher used before its definition changed is given columns of its own by a job, a moment later.
const saysWhatTheNewestDoes = `coalesce((SELECT NOT r.parted FROM voucher_definitions r
  WHERE r.project_id = t.project_id AND r.id = t.definition_id AND r.revision = t.definition_revision), true)`;

/** The statements of a page and of its bounded count of the vouchers that fit one of the branches. Source: ADR 63. */
export const branchedListStatements = (
  branches: readonly Branch[],
  { orderBy, limit, offset }: PageOrder,
  { projectId, values }: { projectId: string; values: readonly unknown[] },
): ListStatements => {
  const first: FirstRows = (columns, end) =>
    branches.map((branch) => `(${firstOf(branch, projectId)(columns, end)})`).join(' UNION ');
  const key = 't.project_id, t.id, t.created_at, t.updated_at, t.code_key';
  const inOrder = `ORDER BY ${orderBy} LIMIT ${limit + offset}`;
  const rows = first(key, { made: `AND ${saysWhatTheNewestDoes} ${inOrder}`, other: inOrder });
  const counted = `LIMIT ${mostCounted}`;
  // By its index: the planner takes vouchers of one definition to lie anywhere, and would look through those of all others.
  const countedOfDefinition = `ORDER BY t.created_at, t.id ${counted}`;
  return {
    page: {
      text: `SELECT ${voucherColumns}
        FROM (SELECT t.project_id, t.id FROM (${rows}) t ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}) p
        JOIN (${voucherSource}) ON t.project_id = p.project_id AND t.id = p.id
        ORDER BY ${orderBy}`,
      values: [...values],
    },
    count: {
      text: countOf(`SELECT 1 FROM (${first('t.id', { made: countedOfDefinition, other: counted })}) t`),
      values: [...values],
    },
    limit,
    offset,
  };
};
