import type { SendoutState } from '../delivery/sendout.table';

/** A sendout as the log has it. */
export interface LoggedSendout {
  id: string;
  webhook_id: string;
  public_event_id: string;
  kind: string;
  group_id: string;
  target_url: string;
  event_created_at: Date;
  created_at: Date;
  state: SendoutState;
  attempts: number;
  next_attempt_at: Date | null;
  finished_at: Date | null;
}

/** One attempt of a sendout. */
export interface LoggedAttempt {
  attempt: number;
  target_url: string;
  started_at: Date;
  duration_ms: number;
  succeeded: boolean;
  http_status: number | null;
  error: string | null;
  response_excerpt: string | null;
}

/** `body` null: older than 30 days. */
export interface FullSendout extends LoggedSendout {
  body: string | null;
  log: LoggedAttempt[];
}

/** An entry of the list. Source: reference 06 §5.5. */
export const renderSendout = (sendout: LoggedSendout) => ({
  id: sendout.id,
  object: 'webhook_sendout' as const,
  type: sendout.kind,
  status: sendout.state,
  source: { id: sendout.webhook_id, object: 'webhook' as const, target_url: sendout.target_url },
  event: { id: sendout.public_event_id, created_at: sendout.event_created_at, group_id: sendout.group_id },
  attempts_count: sendout.attempts,
  next_attempt_at: sendout.next_attempt_at,
  finished_at: sendout.finished_at,
  created_at: sendout.created_at,
});

/** What `renderSendout` makes. */
export type SendoutResponse = ReturnType<typeof renderSendout>;

const renderAttempt = (entry: LoggedAttempt) => ({
  number: entry.attempt,
  target_url: entry.target_url,
  executed_at: entry.started_at,
  duration: entry.duration_ms,
  status: entry.succeeded ? ('SUCCEEDED' as const) : ('FAILED' as const),
  http_status: entry.http_status,
  error: entry.error,
  response: entry.response_excerpt,
});

/** One sendout with its payload (null once pruned) and attempts, oldest first. `duration`: ms. */
export const renderSendoutInFull = (sendout: FullSendout) => ({
  ...renderSendout(sendout),
  payload: sendout.body === null ? null : (JSON.parse(sendout.body) as object),
  attempts: sendout.log.map(renderAttempt),
});

/** What `renderSendoutInFull` makes. */
export type FullSendoutResponse = ReturnType<typeof renderSendoutInFull>;
