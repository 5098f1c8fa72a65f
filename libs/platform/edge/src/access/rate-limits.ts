import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** So many calls in so many seconds. */
export interface RateLimit {
  value: number;
  durationS: number;
}

export interface RateLimits {
  /** Per project; all of them hold at once. */
  apiCalls: readonly RateLimit[];
  /** Per project, for bulk routes instead of `apiCalls`. */
  bulkApiCalls: readonly RateLimit[];
  /** Per IP address over all projects, client-side API. */
  clientCalls: readonly RateLimit[];
  /** Per IP address: calls with missing or wrong credentials. Once they are used up, only those are looked at that were
   *  right at this address lately. */
  rejectedCalls: readonly RateLimit[];
  /** Per user: calls with a session. */
  dashboardCalls: readonly RateLimit[];
  /** Per IP address: open routes that a context serves. What each process serves itself is not counted. */
  openCalls: readonly RateLimit[];
}

/** Source: reference 07 §1.6, Open points 9. */
export const defaultRateLimits: RateLimits = {
  apiCalls: [{ value: 1_000_000, durationS: 3_600 }],
  bulkApiCalls: [{ value: 1_000_000, durationS: 3_600 }],
  clientCalls: [{ value: 5, durationS: 5 }],
  rejectedCalls: [{ value: 600, durationS: 60 }],
  dashboardCalls: [{ value: 600, durationS: 60 }],
  openCalls: [{ value: 600, durationS: 60 }],
};

/** The bucket's standing after a call was counted. */
export interface Standing {
  admitted: boolean;
  headers: Record<string, string>;
}

const taken = async (
  limiter: RateLimiterMemory,
  key: string,
): Promise<{ limiter: RateLimiterMemory; left: RateLimiterRes; admitted: boolean }> => {
  try {
    return { limiter, left: await limiter.consume(key), admitted: true };
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return { limiter, left: refused, admitted: false };
    throw refused;
  }
};

/** Counts calls of one kind, in this process. */
export class RateBucket {
  private readonly limiters: readonly RateLimiterMemory[];

  /** `type` is what `X-Rate-Limit-Type` tells. */
  constructor(
    private readonly type:
      | 'api_calls'
      | 'bulk_api_calls'
      | 'client_api_calls'
      | 'rejected_calls'
      | 'dashboard_calls'
      | 'open_calls',
    limits: readonly RateLimit[],
  ) {
    this.limiters = limits.map(
      ({ value, durationS }) =>
        new RateLimiterMemory({ keyPrefix: `${type}:${durationS}`, points: value, duration: durationS }),
    );
  }

  /** Seconds until `key` may call again; 0 where it may now. Counts nothing. */
  async secondsToWait(key: string): Promise<number> {
    const all = await Promise.all(this.limiters.map((limiter) => limiter.get(key)));
    const waits = all.map((left) => (left && left.remainingPoints <= 0 ? left.msBeforeNext : 0));
    return Math.ceil(Math.max(0, ...waits) / 1_000);
  }

  /** Charges `key` so much more for a call that was admitted. What goes beyond a limit is waited for: as many of the
   *  limit's times as it was used. */
  async charge(key: string, points: number): Promise<void> {
    await Promise.all(
      this.limiters.map(async (limiter) => {
        const { consumedPoints, msBeforeNext } = await limiter.penalty(key, points);
        const times = Math.ceil(consumedPoints / limiter.points);
        if (times < 2) return;
        await limiter.set(key, consumedPoints, msBeforeNext / 1_000 + (times - 1) * limiter.duration);
      }),
    );
  }

  /** Counts a call of `key` and tells the tightest limit's headers. Source: reference 07 §1.6. */
  async take(key: string): Promise<Standing> {
    const all = await Promise.all(this.limiters.map((limiter) => taken(limiter, key)));
    const [tightest] = all.sort((left, right) =>
      left.admitted === right.admitted
        ? left.left.remainingPoints - right.left.remainingPoints
        : Number(left.admitted) - Number(right.admitted),
    );
    if (!tightest) return { admitted: true, headers: {} };
    const { limiter, left, admitted } = tightest;
    const exhausted = left.remainingPoints === 0;
    const waitMs = exhausted ? left.msBeforeNext : 0;
    return {
      admitted,
      headers: {
        'X-Rate-Limit-Limit': String(limiter.points),
        'X-Rate-Limit-Remaining': String(left.remainingPoints),
        'X-Rate-Limit-Retry': String(Math.ceil((Date.now() + waitMs) / 1_000)),
        ...(exhausted
          ? { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1_000))), 'X-Rate-Limit-Type': this.type }
          : {}),
      },
    };
  }
}
