import type { CalendarDay } from '@scrip/kernel';
import { type CounterKey, type TouchedCounter, counterName } from '@scrip/order-preview';
import {
  type Addition,
  type CountedAmounts,
  type CounterScope,
  incentiveWithin,
  incentivesOf,
  noAmounts,
  scopeName,
  addedAmounts,
} from './counter';

/** The rows that keep the counters which rules read. */
export class KeptCounters {
  private readonly scopes: ReadonlySet<string>;

  /** `active`: the scopes that count everything. */
  constructor(active: readonly CounterScope[]) {
    this.scopes = new Set(active.map(scopeName));
  }

  /** The key of the row. Throws where none is kept: counters are read, and completed, before anything is recorded. */
  keyOf({ key, campaignId }: TouchedCounter): CounterKey {
    const { object, counted_by } = key;
    if (this.scopes.has(scopeName(key))) return key;
    if (campaignId !== null && this.scopes.has(scopeName({ object: incentivesOf(campaignId), counted_by })))
      return { ...key, object: incentiveWithin(campaignId, object) };
    throw new Error(`a rule reads ${object} by ${counted_by}, which is not counted`);
  }
}

/** A counter that a rule reads, and the row that keeps it. */
export interface KeptCounter {
  touched: TouchedCounter;
  key: CounterKey;
}

/** Counters as they were read under their locks, and as the redemptions admitted since leave them. */
export class CountedSums {
  private readonly values: Map<string, CountedAmounts>;
  private readonly periods = new Map<string, Set<CalendarDay | null>>();

  /** `read`: by `counterName`; what is missing is zero. `followed`: the counters that anybody in the batch reads. */
  constructor(read: ReadonlyMap<string, CountedAmounts>, followed: readonly KeptCounter[]) {
    this.values = new Map(read);
    for (const { key, touched } of followed) {
      const row = counterName({ key, since: null });
      const periods = this.periods.get(row) ?? new Set([null]);
      this.periods.set(row, periods.add(touched.since));
    }
  }

  of(key: CounterKey, since: CalendarDay | null): CountedAmounts {
    return this.values.get(counterName({ key, since })) ?? noAmounts;
  }

  /** What a member's rules read, by `counterName`. */
  readBy(counters: readonly KeptCounter[]): Map<string, CountedAmounts> {
    return new Map(
      counters.map(({ touched, key }) => [counterName(touched), this.of(key, touched.since)] as const),
    );
  }

  count(additions: readonly Addition[]): void {
    for (const { key, day, by } of additions) {
      for (const since of this.periods.get(counterName({ key, since: null })) ?? [null]) {
        if (since !== null && day !== null && since > day) continue;
        this.values.set(counterName({ key, since }), addedAmounts(this.of(key, since), by));
      }
    }
  }
}
