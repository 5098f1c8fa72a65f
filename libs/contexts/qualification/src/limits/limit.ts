import { type Refusal, type CalendarDay, refuse } from '@scrip/kernel';
import type { RuleRefusalKey } from '@scrip/order-calculation';
import {
  type Addition,
  type Counted,
  type CountedRedemption,
  type CounterKey,
  type CounterScope,
  additionsOf,
  nothing,
  subjectOf,
  sum,
  textOf,
} from './counter';

/** An upper bound that holds for one redeemable. `since`: the first day that counts, in the project's time zone; null:
 *  all days. `refusal`: what a caller beyond it gets. Source: reference 02 §3.3. */
export interface Limit {
  /** Id of the voucher or tier whose redemptions it bounds. */
  object_id: string;
  scope: CounterScope;
  since: CalendarDay | null;
  measure: keyof Counted;
  at_most: number;
  refusal: Refusal<RuleRefusalKey>;
}

/** A limit that a redeemable would pass, and why. */
export interface Violation {
  object_id: string;
  refusal: Refusal<RuleRefusalKey>;
}

/** Names the part of a counter that a limit reads. */
export const periodOf = (key: CounterKey, since: CalendarDay | null): string =>
  `${textOf(key)} ${since ?? ''}`;

const keyFor = (limit: Limit, redemption: CountedRedemption): CounterKey | null => {
  const subject = subjectOf(limit.scope.counted_by, redemption);
  return subject === null ? null : { ...limit.scope, subject };
};

/** The counters that the limits of a redemption read. */
export const countersOf = (
  redemption: CountedRedemption,
  limits: readonly Limit[],
): { key: CounterKey; since: CalendarDay | null }[] =>
  limits.flatMap((limit) => {
    const key = keyFor(limit, redemption);
    return key ? [{ key, since: limit.since }] : [];
  });

const withoutSubject = ({ scope, refusal }: Limit): Refusal<RuleRefusalKey> =>
  scope.counted_by === 'customer'
    ? refuse('missing_customer', 'Customer is required to validate rules')
    : refusal;

/** Counters as they were read, and as the redemptions admitted so far leave them. */
export class Tally {
  private readonly values: Map<string, Counted>;

  /** `read`: by `periodOf`; what is missing is zero. */
  constructor(read: ReadonlyMap<string, Counted>) {
    this.values = new Map(read);
  }

  /** Counts a redemption unless one of its redeemables would pass a limit, which is then returned: redeemables applied
   *  earlier count for later ones. Nothing is counted of a redemption that is not admitted. `followed`: the limits whose
   *  counters must be kept up, those of later redemptions among them. */
  admit(
    redemption: CountedRedemption,
    limits: readonly Limit[],
    followed: readonly Limit[] = limits,
  ): Violation | null {
    const after = new Map<string, Counted>();
    const { counts } = redemption;
    const scopes = distinctScopes(followed);
    for (const redeemed of counts.redeemables) {
      const one = { ...redemption, counts: { ...counts, redeemables: [redeemed] } };
      for (const addition of additionsOf(one, scopes)) this.add(after, addition, followed);
      for (const limit of limits) {
        if (limit.object_id !== redeemed.object_id) continue;
        const key = keyFor(limit, redemption);
        const { object_id } = limit;
        if (!key) return { object_id, refusal: withoutSubject(limit) };
        const value = this.valueOf(after, periodOf(key, limit.since));
        if (value[limit.measure] > limit.at_most) return { object_id, refusal: limit.refusal };
      }
    }
    for (const [period, value] of after) this.values.set(period, value);
    return null;
  }

  private add(after: Map<string, Counted>, { key, day, by }: Addition, limits: readonly Limit[]): void {
    const periods = new Set(
      limits.filter(({ since }) => since === null || since <= day).map(({ since }) => since),
    );
    for (const since of periods) {
      const period = periodOf(key, since);
      after.set(period, sum(this.valueOf(after, period), by));
    }
  }

  private valueOf(after: ReadonlyMap<string, Counted>, period: string): Counted {
    return after.get(period) ?? this.values.get(period) ?? nothing;
  }
}

const distinctScopes = (limits: readonly Limit[]): CounterScope[] => [
  ...new Map(limits.map(({ scope }) => [`${scope.object} ${scope.counted_by}`, scope])).values(),
];
