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
  /** Per project and calendar month, calls of both kinds together, over all processes; null: no limit. */
  apiCallsPerCycle: number | null;
  /** Per project, for routes of integrations instead of `apiCalls`; no cycle counts them. */
  webhookCalls: readonly RateLimit[];
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
  apiCallsPerCycle: null,
  webhookCalls: [{ value: 1_000_000, durationS: 86_400 }],
  clientCalls: [{ value: 5, durationS: 5 }],
  rejectedCalls: [{ value: 600, durationS: 60 }],
  dashboardCalls: [{ value: 600, durationS: 60 }],
  openCalls: [{ value: 600, durationS: 60 }],
};

/** What `X-Rate-Limit-Type` tells. */
export type BucketType =
  | 'api_calls'
  | 'bulk_api_calls'
  | 'api_calls_cycle'
  | 'webhook_calls'
  | 'client_api_calls'
  | 'rejected_calls'
  | 'dashboard_calls'
  | 'open_calls';

/** How a limit stands after a call was counted; `waitMs`: until it admits calls again, where none is left. */
export interface Standing {
  type: BucketType;
  limit: number;
  remaining: number;
  waitMs: number;
  admitted: boolean;
}

/** The standing that a caller is told: a limit that refuses the call, else the one with the fewest calls left. */
export const tightestOf = (standings: readonly Standing[]): Standing | undefined =>
  [...standings].sort((left, right) =>
    left.admitted === right.admitted
      ? left.remaining - right.remaining
      : Number(left.admitted) - Number(right.admitted),
  )[0];

/** Source: reference 07 §1.6. */
export const headersOfStanding = ({ type, limit, remaining, waitMs }: Standing): Record<string, string> => ({
  'X-Rate-Limit-Limit': String(limit),
  'X-Rate-Limit-Remaining': String(remaining),
  'X-Rate-Limit-Retry': String(Math.ceil((Date.now() + waitMs) / 1_000)),
  ...(remaining === 0
    ? { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1_000))), 'X-Rate-Limit-Type': type }
    : {}),
});

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

  constructor(
    private readonly type: BucketType,
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

  /** Counts a call of `key`, and returns how each limit stands then. */
  async take(key: string): Promise<Standing[]> {
    const all = await Promise.all(this.limiters.map((limiter) => taken(limiter, key)));
    return all.map(({ limiter, left: { remainingPoints, msBeforeNext }, admitted }) => ({
      type: this.type,
      limit: limiter.points,
      remaining: remainingPoints,
      waitMs: remainingPoints === 0 ? msBeforeNext : 0,
      admitted,
    }));
  }
}
