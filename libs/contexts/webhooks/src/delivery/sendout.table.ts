import type { DataSource, EntityManager } from 'typeorm';
import type { Lane } from './lane';

/** Source: reference 06 §5.2. */
export type SendoutState = 'PENDING' | 'DELIVERING' | 'SUCCEEDED' | 'RETRYING' | 'FAILED' | 'CANCELED';

/** A sendout taken for an attempt. `attempt` numbers it in the log; `scheduledAttempt` is null for a manual attempt,
 *  which the schedule does not count. */
export interface ClaimedSendout {
  id: string;
  entityId: string | null;
  kind: string;
  attempt: number;
  scheduledAttempt: number | null;
  firstAttemptAt: Date;
  body: string | null;
  /** The trace of what caused it. */
  traceparent: string | null;
}

/** The result of an attempt and the next state of its sendout. `state` null: the state before a manual attempt. */
export interface AttemptEnd {
  sendoutId: string;
  attempt: number;
  targetUrl: string;
  startedAt: Date;
  durationMs: number;
  httpStatus: number | null;
  error: string | null;
  responseExcerpt: string | null;
  succeeded: boolean;
  state: 'SUCCEEDED' | 'RETRYING' | 'FAILED' | 'CANCELED' | null;
  nextAttemptAt: Date | null;
}

type Database = DataSource | EntityManager;

/** Cancels waiting sendouts of an endpoint; an attempt in progress ends by itself.
 *  Machine time: when deliveries are due. */
export const cancelWaiting = async (database: Database, { projectId, webhookId }: Lane): Promise<void> => {
  await database.query(
    `UPDATE sendouts SET state = 'CANCELED', next_attempt_at = NULL, finished_at = now()
     WHERE project_id = $2 AND webhook_id = $1 AND state IN ('PENDING', 'RETRYING')`,
    [webhookId, projectId],
  );
};

/** Puts back the sendouts that a killed worker was delivering. Only the lane of the endpoint may call it. The
 *  interrupted attempt does not count in the schedule.
 *  Machine time: when deliveries are due. */
export const releaseOrphans = async (database: Database, { projectId, webhookId }: Lane): Promise<void> => {
  await database.query(
    `UPDATE sendouts SET state = 'RETRYING', next_attempt_at = now(),
       scheduled_attempts = scheduled_attempts - CASE WHEN resume_state IS NULL THEN 1 ELSE 0 END
     WHERE project_id = $2 AND webhook_id = $1 AND state = 'DELIVERING'`,
    [webhookId, projectId],
  );
};

/** Takes at most `limit` due sendouts of an endpoint that is active, first due first, in the order of their events.
 *  Machine time: when deliveries are due. */
export const claimDue = async (
  database: Database,
  { projectId, webhookId }: Lane,
  limit: number,
): Promise<ClaimedSendout[]> =>
  database.query<ClaimedSendout[]>(
    `WITH due AS (
       SELECT id FROM sendouts
       WHERE project_id = $3 AND webhook_id = $1 AND state IN ('PENDING', 'RETRYING') AND next_attempt_at <= now()
         AND EXISTS (SELECT 1 FROM endpoints WHERE project_id = $3 AND id = $1 AND active)
       ORDER BY next_attempt_at, seq LIMIT $2 FOR UPDATE SKIP LOCKED
     ), taken AS (
       UPDATE sendouts s SET state = 'DELIVERING', attempts = attempts + 1,
         scheduled_attempts = scheduled_attempts + CASE WHEN resume_state IS NULL THEN 1 ELSE 0 END,
         first_attempt_at = coalesce(first_attempt_at, now())
       FROM due WHERE s.id = due.id
       RETURNING s.*
     )
     SELECT t.id, t.entity_id AS "entityId", t.kind, t.attempts AS attempt, p.body, p.traceparent,
       CASE WHEN t.resume_state IS NULL THEN t.scheduled_attempts END AS "scheduledAttempt",
       t.first_attempt_at AS "firstAttemptAt"
     FROM taken t LEFT JOIN sendout_payloads p ON p.sendout_id = t.id
     ORDER BY t.seq`,
    [webhookId, limit, projectId],
  );

/** Returns whether an endpoint is active, and when its next waiting sendout is due, in ms from now; null when none
 *  waits.
 *  Machine time: when deliveries are due. */
export const laneStatus = async (
  database: Database,
  { projectId, webhookId }: Lane,
): Promise<{ active: boolean; dueInMs: number | null }> => {
  const [row] = await database.query<{ active: boolean | null; dueInMs: number | null }[]>(
    `SELECT (SELECT active FROM endpoints WHERE project_id = $2 AND id = $1) AS active,
       (extract(epoch FROM min(next_attempt_at) - now()) * 1000)::float8 AS "dueInMs"
     FROM sendouts WHERE project_id = $2 AND webhook_id = $1 AND state IN ('PENDING', 'RETRYING')`,
    [webhookId, projectId],
  );
  return { active: row?.active ?? false, dueInMs: row?.dueInMs ?? null };
};

/** Returns whether another sendout of the endpoint succeeded since `since`. */
export const succeededSince = async (
  database: Database,
  { projectId, webhookId }: Lane,
  since: Date,
): Promise<boolean> => {
  const [row] = await database.query<{ found: boolean }[]>(
    `SELECT EXISTS (
       SELECT 1 FROM sendouts
       WHERE project_id = $3 AND webhook_id = $1 AND state = 'SUCCEEDED' AND finished_at >= $2
     ) AS found`,
    [webhookId, since, projectId],
  );
  return row?.found ?? false;
};

const column = <Key extends keyof AttemptEnd>(ends: readonly AttemptEnd[], key: Key): AttemptEnd[Key][] =>
  ends.map((end) => end[key]);

/** Writes the results of attempts: log rows, and the state of each sendout that is still in that attempt. A sendout
 *  that would be tried again is cancelled when its endpoint was stopped meanwhile.
 *  Machine time: when deliveries are due. */
export const recordEnds = async (database: Database, ends: readonly AttemptEnd[]): Promise<void> => {
  await database.query(
    `WITH ended AS (
       SELECT * FROM unnest($1::text[], $2::int[], $3::text[], $4::timestamptz[], $5::int[], $6::int[], $7::text[],
         $8::text[], $9::boolean[], $10::text[], $11::timestamptz[])
       AS e(sendout_id, attempt, target_url, started_at, duration_ms, http_status, error, response_excerpt, succeeded,
         state, next_attempt_at)
     ), decided AS (
       SELECT e.sendout_id, e.attempt, w.active,
         coalesce(e.state, s.resume_state) AS state,
         CASE WHEN e.state IS NULL THEN s.resume_at ELSE e.next_attempt_at END AS next_attempt_at
       FROM ended e JOIN sendouts s ON s.id = e.sendout_id
       JOIN endpoints w ON w.project_id = s.project_id AND w.id = s.webhook_id
     ), moved AS (
       UPDATE sendouts s SET
         state = CASE WHEN d.state IN ('PENDING', 'RETRYING') AND NOT d.active THEN 'CANCELED' ELSE d.state END,
         next_attempt_at = CASE WHEN d.active THEN d.next_attempt_at END,
         finished_at = CASE WHEN d.state IN ('PENDING', 'RETRYING') AND d.active THEN NULL ELSE now() END,
         resume_state = NULL, resume_at = NULL
       FROM decided d WHERE s.id = d.sendout_id AND s.state = 'DELIVERING' AND s.attempts = d.attempt
     )
     INSERT INTO sendout_attempts (sendout_id, attempt, target_url, started_at, duration_ms, http_status, error,
       response_excerpt, succeeded)
     SELECT sendout_id, attempt, target_url, started_at, duration_ms, http_status, error, response_excerpt, succeeded
     FROM ended ON CONFLICT DO NOTHING`,
    [
      column(ends, 'sendoutId'),
      column(ends, 'attempt'),
      column(ends, 'targetUrl'),
      column(ends, 'startedAt'),
      column(ends, 'durationMs'),
      column(ends, 'httpStatus'),
      column(ends, 'error'),
      column(ends, 'responseExcerpt'),
      column(ends, 'succeeded'),
      column(ends, 'state'),
      column(ends, 'nextAttemptAt'),
    ],
  );
};
