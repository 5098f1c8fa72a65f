import type { HttpEnd } from './http-delivery';
import { nextAttemptMs, retryGapMs } from './retry-schedule';
import type { AttemptEnd, ClaimedSendout } from './sendout.table';

/** The next state of a sendout after an attempt. `stop`: why its endpoint must be disabled; `retries_exhausted` only if
 *  no other sendout of it succeeded meanwhile. */
export interface AttemptResult {
  state: AttemptEnd['state'];
  nextAttemptAt: Date | null;
  stop: 'gone' | 'retries_exhausted' | null;
}

/** Returns whether the target accepted the sendout: a 2xx, received completely. Source: reference 06 §5.2. */
export const isDelivered = ({ status, error }: HttpEnd): boolean =>
  error === null && status !== null && status >= 200 && status < 300;

/** Returns `Retry-After` of 429 and 503 as epoch milliseconds: seconds from `now`, or a date; null for anything else. */
const retryAfterMs = ({ status, retryAfter }: HttpEnd, nowMs: number): number | null => {
  if (retryAfter === null || (status !== 429 && status !== 503)) return null;
  const at = /^\d{1,9}$/.test(retryAfter.trim())
    ? nowMs + Number(retryAfter) * 1_000
    : Date.parse(retryAfter);
  return Number.isNaN(at) ? null : at;
};

/** Moves a slot that passed while no worker ran: its gap begins now, so that missed slots cause no burst. */
const notInThePast = (dueMs: number, attempt: number, nowMs: number): Date =>
  new Date(dueMs > nowMs ? dueMs : nowMs + retryGapMs(attempt));

/** Returns the next state of a sendout and its endpoint. `random`: 0…1. Source: reference 06 §5.2. */
export const resultOf = (
  sendout: Pick<ClaimedSendout, 'scheduledAttempt' | 'firstAttemptAt'>,
  end: HttpEnd,
  { now, random }: { now: Date; random: number },
): AttemptResult => {
  if (isDelivered(end)) return { state: 'SUCCEEDED', nextAttemptAt: null, stop: null };
  if (end.status === 410) return { state: 'CANCELED', nextAttemptAt: null, stop: 'gone' };
  if (sendout.scheduledAttempt === null) return { state: null, nextAttemptAt: null, stop: null };
  const firstMs = sendout.firstAttemptAt.getTime();
  const asked = retryAfterMs(end, now.getTime());
  const next = nextAttemptMs(sendout.scheduledAttempt, random, asked === null ? null : asked - firstMs);
  return next === null
    ? { state: 'FAILED', nextAttemptAt: null, stop: 'retries_exhausted' }
    : {
        state: 'RETRYING',
        nextAttemptAt: notInThePast(firstMs + next, sendout.scheduledAttempt, now.getTime()),
        stop: null,
      };
};
