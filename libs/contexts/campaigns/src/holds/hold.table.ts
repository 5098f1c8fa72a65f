import type { Instant } from '@scrip/contracts/snapshot';
import { runQuery } from '@scrip/event-store';
import type { DataSource, EntityManager } from 'typeorm';
import type { ExpiredHolds } from './hold.decider';
import { holdOf, instantOf, type StoredHold } from './stored-hold';

/** What decides about holds on a voucher beside its state. */
export interface HoldsBeside {
  own: StoredHold | null;
  /** Of other sessions, at most 500 of them. */
  expired: ExpiredHolds<StoredHold>;
}

const expiredPerVoucher = 500;

const counted = 'h.project_id = $1 AND h.voucher_id = v.id AND h.claim_id IS NULL';

const besideSql = `
  SELECT v.id,
    (SELECT to_jsonb(h) - 'project_id' FROM voucher_holds h
     WHERE h.project_id = $1 AND h.voucher_id = v.id AND h.session_key = $3) AS own,
    (SELECT coalesce(jsonb_agg(e), '[]') FROM (
       SELECT h.voucher_id, h.session_key, h.generation, h.uses, h.credits, h.expires_at, h.claim_id FROM voucher_holds h
       WHERE ${counted} AND h.expires_at <= $4 AND h.session_key IS DISTINCT FROM $3
       ORDER BY h.expires_at LIMIT ${expiredPerVoucher}) e) AS expired,
    (SELECT min(h.expires_at) FROM voucher_holds h
     WHERE ${counted} AND h.expires_at > $4 AND h.session_key IS DISTINCT FROM $3) AS next
  FROM unnest($2::text[]) AS v(id)`;

interface BesideRow {
  id: string;
  own: object | null;
  expired: object[];
  next: Date | null;
}

/** Reads what decides about holds on vouchers, by voucher. `session` null: of no session in particular. Holds under the locks of the
 *  vouchers. `now`: business time. */
export const readHoldsBeside = async (
  manager: EntityManager,
  {
    projectId,
    vouchers,
    session,
  }: { projectId: string; vouchers: readonly string[]; session: string | null },
  now: Instant,
): Promise<Map<string, HoldsBeside>> => {
  const rows = await runQuery<BesideRow>(manager, besideSql, [projectId, vouchers, session, now]);
  return new Map(
    rows.map(({ id, own, expired, next }) => {
      const holds = expired.map(holdOf);
      // Those beyond the page expire no earlier than its last one.
      const after = holds.length < expiredPerVoucher ? next && instantOf(next) : holds.at(-1)!.expires_at;
      return [id, { own: own && holdOf(own), expired: { holds, next: after } }];
    }),
  );
};

/** Returns what a session holds of a voucher, also what a claim uses up; null for nothing. */
export const findHold = async (
  on: DataSource | EntityManager,
  projectId: string,
  { voucher_id, session_key }: Pick<StoredHold, 'voucher_id' | 'session_key'>,
): Promise<StoredHold | null> => {
  const [row] = await runQuery<{ hold: object }>(
    on,
    `SELECT to_jsonb(h) - 'project_id' AS hold FROM voucher_holds h
     WHERE h.project_id = $1 AND h.voucher_id = $2 AND h.session_key = $3`,
    [projectId, voucher_id, session_key],
  );
  return row ? holdOf(row.hold) : null;
};

/** Of a claim `c` on a voucher: the hold that it uses up, as jsonb; null for none. */
export const holdOfClaim = `CASE WHEN c.kept ? 'hold' THEN (
  SELECT to_jsonb(h) - 'project_id' FROM voucher_holds h
  WHERE h.project_id = c.project_id AND h.voucher_id = c.object_id AND h.claim_id = c.claim_id) END`;

/** Ends the sessions whose holds confirmed claims used up, over the confirmed rows. */
export const confirmedHoldsEnd = `
  DELETE FROM voucher_holds h USING confirmed c
  WHERE c.kept ? 'hold' AND h.project_id = $1 AND h.voucher_id = c.object_id AND h.claim_id = c.claim_id`;

/** Those holds of a voucher `t` that its state counts and that do not block `session`, as jsonb {uses, credits}: expired ones and its
 *  own; null where nothing is held. `session`, `now`: SQL expressions. */
export const nonBlockingHolds = ({ session, now }: { session: string; now: string }): string => `
  CASE WHEN t.state ? 'holds' THEN (
    SELECT jsonb_build_object('uses', coalesce(sum(s.uses), 0), 'credits', coalesce(sum(s.credits), 0)) FROM (
      SELECT h.uses, h.credits FROM voucher_holds h
      WHERE h.project_id = t.project_id AND h.voucher_id = t.id AND h.claim_id IS NULL AND h.expires_at <= ${now}
      UNION ALL
      SELECT h.uses, h.credits FROM voucher_holds h
      WHERE h.project_id = t.project_id AND h.voucher_id = t.id AND h.session_key = ${session}
        AND h.claim_id IS NULL AND h.expires_at > ${now}) s) END`;

/** Returns vouchers with holds that have expired before an instant, at most `limit`, the longest expired first. */
export const vouchersWithExpiredHolds = (
  dataSource: DataSource,
  before: Date,
  limit: number,
): Promise<{ project_id: string; voucher_id: string }[]> =>
  runQuery(
    dataSource,
    `SELECT DISTINCT project_id, voucher_id FROM (
       SELECT project_id, voucher_id FROM voucher_holds WHERE expires_at < $1 ORDER BY expires_at LIMIT $2) e
     ORDER BY project_id, voucher_id`,
    [before, limit],
  );

/** Forgets what a session held and what redemptions under way use up: they give nothing back to it. */
export const forgetClaimed = async (
  manager: EntityManager,
  projectId: string,
  replaced: readonly { own: StoredHold }[],
): Promise<void> => {
  const claimed = replaced.filter(({ own }) => own.claim_id !== null);
  if (claimed.length === 0) return;
  await runQuery(
    manager,
    `DELETE FROM voucher_holds h USING unnest($2::text[], $3::text[]) AS n(voucher_id, generation)
     WHERE h.project_id = $1 AND h.voucher_id = n.voucher_id AND h.session_key = $4 AND h.generation = n.generation`,
    [
      projectId,
      claimed.map(({ own }) => own.voucher_id),
      claimed.map(({ own }) => own.generation),
      claimed[0]!.own.session_key,
    ],
  );
};

/** Forgets holds of these vouchers that expired before an instant and that no state counts: what claims use up, and what vouchers have
 *  that are gone. `all`: the project is gone. Returns how many. */
export const forgetUncounted = async (
  dataSource: DataSource,
  { projectId, vouchers, all }: { projectId: string; vouchers: readonly string[]; all: boolean },
  before: Date,
): Promise<number> => {
  const [row] = await runQuery<{ forgotten: number }>(
    dataSource,
    `WITH forgotten AS (
       DELETE FROM voucher_holds h WHERE h.project_id = $1 AND h.voucher_id = ANY($2) AND h.expires_at < $3
         AND ($4 OR h.claim_id IS NOT NULL OR NOT EXISTS (
           SELECT 1 FROM vouchers v WHERE v.project_id = h.project_id AND v.id = h.voucher_id))
       RETURNING 1)
     SELECT count(*)::int AS forgotten FROM forgotten`,
    [projectId, vouchers, before, all],
  );
  return row?.forgotten ?? 0;
};
