import { type Databases, redemptionStates } from '@scrip/reconcile';
import type { Told } from '../load/told';
import { rowsOf } from './rows';

/** The comparison of callers' answers with the stored redemptions; all but `recorded` should be 0. */
export interface Comparison {
  recorded: number;
  /** Acknowledged, but not stored under the id that was told; rollbacks likewise. */
  lost: number;
  /** Recorded more than once for one call, or although the caller was refused. */
  doubled: number;
}

interface Stored {
  call: string;
  ids: string[];
}

// Singles and parents of stacks: one per call.
const storedSql = `
  SELECT state->'redemption'->'metadata'->>'call' AS call, array_agg(id) AS ids FROM ${redemptionStates}
  WHERE object = 'redemption' AND result = 'SUCCESS' AND parent_redemption_id IS NULL
    AND state->'redemption'->'metadata' ? 'call'
  GROUP BY 1`;

const rolledBackSql = `
  SELECT id FROM ${redemptionStates} WHERE id = ANY($1) AND state->'redemption'->>'status' = 'ROLLED_BACK'`;

const storedIn = async ({ qualification }: Databases, rolledBack: readonly string[]) => {
  const rows = await rowsOf<Stored>(qualification, storedSql);
  const undone = await rowsOf<{ id: string }>(qualification, rolledBackSql, [rolledBack]);
  return { calls: new Map(rows.map(({ call, ids }) => [call, ids])), undone: undone.length };
};

/** Compares the answers of callers with the stored redemptions. */
export const compareWithStored = async (databases: Databases, told: Told): Promise<Comparison> => {
  const { calls, undone } = await storedIn(databases, [...told.rolledBack]);
  const comparison: Comparison = { recorded: 0, lost: told.rolledBack.size - undone, doubled: 0 };
  for (const ids of calls.values()) comparison.recorded += ids.length;
  for (const [call, { end, id }] of told.calls) {
    const ids = calls.get(call) ?? [];
    if (end === 'acknowledged' && !ids.includes(id as string)) comparison.lost += 1;
    comparison.doubled += Math.max(0, ids.length - (end === 'refused' ? 0 : 1));
  }
  return comparison;
};

/** Returns the ids of all recorded redemptions, children included; each has one webhook. */
export const recordedRedemptions = async ({ qualification }: Databases): Promise<string[]> => {
  const rows = await rowsOf<{ id: string }>(
    qualification,
    `SELECT id FROM qualification.redemptions WHERE object = 'redemption' AND result = 'SUCCESS'`,
  );
  return rows.map(({ id }) => id);
};
