/** How long to wait, and what for, as it shall read in the failure ("the voucher to be published"). */
export interface Waiting {
  what: string;
  /** 90 seconds when absent: long, since it passes only where the test fails anyway. */
  timeoutMs?: number;
  /** From one look to the next. Absent: 20 milliseconds at first, then a tenth of the time that has passed, 200 at most: looks
   *  take processor time from what is waited for. */
  intervalMs?: number;
}

const pauseAfter = (passedMs: number): number => Math.min(Math.max(20, passedMs / 10), 200);

/** Answers the first truthy value of `condition`. One that throws counts as not yet true; when time is up, its last
 *  error is the cause of the error thrown. */
export const waitUntil = async <Value>(
  condition: () => Value | Promise<Value>,
  { what, timeoutMs = 90_000, intervalMs }: Waiting,
): Promise<Exclude<Awaited<Value>, null | undefined | false | 0 | ''>> => {
  const begunAt = Date.now();
  const deadline = begunAt + timeoutMs;
  let cause: unknown;
  for (;;) {
    try {
      const value = await condition();
      if (value) return value as Exclude<Awaited<Value>, null | undefined | false | 0 | ''>;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (Date.now() >= deadline) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`, { cause });
    const pauseMs = intervalMs ?? pauseAfter(Date.now() - begunAt);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
};
