const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Attempts of one sendout, the first included. Source: reference 06 §5.2. */
export const attemptsMax = 13;

/** Returns when retry `n` (1…12) is due, in milliseconds since the first attempt. Source: reference 06 §5.2. */
export const retryDueMs = (n: number): number =>
  n < attemptsMax - 1 ? 2 ** (n - 1) * minuteMs : 24 * hourMs;

/** Returns the milliseconds between the slots of retry `n` − 1 and retry `n` (1…12). */
export const retryGapMs = (n: number): number => retryDueMs(n) - (n === 1 ? 0 : retryDueMs(n - 1));

/** Returns when to try again after attempt `attempt` (1…12) failed, in milliseconds since the first attempt; null
 *  after the last. `random` 0…1 spreads retries by up to 10 % of the gap, never the last one. `retryAfterMs`, since
 *  the first attempt, is the wish of the target: it may move the retry later, but not past the slot after it. Source:
 *  reference 06 §5.2. */
export const nextAttemptMs = (
  attempt: number,
  random: number,
  retryAfterMs: number | null,
): number | null => {
  if (attempt >= attemptsMax) return null;
  const due = retryDueMs(attempt);
  const last = attempt === attemptsMax - 1;
  const spread = last ? due : due + Math.floor(retryGapMs(attempt) * 0.1 * random);
  if (retryAfterMs === null || last) return spread;
  return Math.max(spread, Math.min(retryAfterMs, retryDueMs(attempt + 1)));
};
