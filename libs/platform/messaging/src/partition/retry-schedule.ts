/** When failed work is tried again, in milliseconds after each failure. */
export interface RetrySchedule {
  /** Tries before a key counts as parked. A fault is tried again after the last of them, at most 5 s, as often as it
   *  takes. */
  readonly triesMs: readonly number[];
  /** Tries of a parked key; the last one repeats. */
  readonly parkedMs: readonly number[];
}

/** Source: reference 06 §9.4. */
export const defaultRetrySchedule: RetrySchedule = {
  triesMs: [100, 1_000, 5_000],
  parkedMs: [60_000, 600_000, 3_600_000],
};

const longestHoldMs = 5_000;

/** How long work waits after a fault that outlasted the tries, until it is tried again. */
export const holdMs = ({ triesMs }: RetrySchedule): number => Math.min(triesMs.at(-1) ?? 0, longestHoldMs);

/** A key's situation after its `failures`-th failure in a row. */
export interface NextAttempt {
  state: 'RETRYING' | 'PARKED';
  delayMs: number;
}

/** `failures` counts from 1. */
export const nextAttempt = (schedule: RetrySchedule, failures: number): NextAttempt => {
  const tryMs = schedule.triesMs[failures - 1];
  if (tryMs !== undefined) return { state: 'RETRYING', delayMs: tryMs };
  const round = failures - schedule.triesMs.length - 1;
  const delayMs = schedule.parkedMs[Math.min(round, schedule.parkedMs.length - 1)] ?? Number.MAX_SAFE_INTEGER;
  return { state: 'PARKED', delayMs };
};

/** An undecodable event gets no tries: code must change first. */
export const attemptOfUndecodable = (schedule: RetrySchedule): NextAttempt =>
  nextAttempt(schedule, schedule.triesMs.length + 1);
