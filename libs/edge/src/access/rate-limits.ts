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
}

/** Source: spec 07 §1.6, Open points 9. */
export const defaultRateLimits: RateLimits = {
  apiCalls: [{ value: 1_000_000, durationS: 3_600 }],
  bulkApiCalls: [{ value: 1_000_000, durationS: 3_600 }],
  clientCalls: [{ value: 5, durationS: 5 }],
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
    private readonly type: 'api_calls' | 'bulk_api_calls' | 'client_api_calls',
    limits: readonly RateLimit[],
  ) {
    this.limiters = limits.map(
      ({ value, durationS }) =>
        new RateLimiterMemory({ keyPrefix: `${type}:${durationS}`, points: value, duration: durationS }),
    );
  }

  /** Counts a call of `key` and tells the tightest limit's headers. Source: spec 07 §1.6. */
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
