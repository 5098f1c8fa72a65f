import { type CalendarDay, addDays, calendarDayOf } from '@scrip/kernel/pure';
import type { Candidate } from '../request/evaluation-request';

/** What a counter is kept for: everybody, each customer, each calling key, each team member. */
export type CountedBy = 'all' | 'customer' | 'api_key' | 'user';

/** One counter. `object`: what is counted together (`campaign:camp_1`, `voucher:v_1`, `promotion_tier:promo_1`);
 *  `subject`: the customer, key or team member; '' for everybody. */
export interface CounterKey {
  readonly object: string;
  readonly counted_by: CountedBy;
  readonly subject: string;
}

/** The part of a counter that a limit reads. `since`: the first day that counts, in the project's time zone; null: all
 *  days. `campaignId`: of a counter of one incentive, the campaign that it belongs to, whose incentives may be counted one by
 *  one; null for none. */
export interface TouchedCounter {
  readonly key: CounterKey;
  readonly since: CalendarDay | null;
  readonly campaignId: string | null;
}

/** What a counter has counted. Amounts: minor units. */
export interface Counted {
  readonly redemptions: number;
  readonly order_amount: number;
  readonly discount_amount: number;
  readonly credits: number;
}

/** Who calls, by the names that counters use; null: there is none of the kind. */
export interface CountedCaller {
  readonly customerId: string | null;
  readonly apiKeyId: string | null;
  readonly userId: string | null;
}

/** When it is, for limits of days, weeks and months. `firstWeekday`: of the project's locale, 0 = Sunday; by default
 *  Monday. Source: reference 02 §3.3. */
export interface CountedMoment {
  readonly now: Date;
  readonly timezone: string;
  readonly firstWeekday?: 0 | 1 | 6;
}

type CountedCandidate = Pick<Candidate, 'redeemable' | 'objectId'>;

/** How a rule of the catalogue counts. `period`: of the project's calendar; null: since ever. Source: reference 02 §3.3. */
export interface CounterRule {
  readonly of: 'campaign' | 'incentive';
  readonly countedBy: CountedBy;
  readonly measure: keyof Counted;
  readonly period: 'daily' | 'weekly' | 'monthly' | null;
}

const families: readonly (readonly [prefix: string, Omit<CounterRule, 'period'>])[] = [
  ['campaign.redemptions.count', { of: 'campaign', countedBy: 'all', measure: 'redemptions' }],
  ['campaign.redemptions.customers_count', { of: 'campaign', countedBy: 'customer', measure: 'redemptions' }],
  ['redemption.count.per_customer', { of: 'incentive', countedBy: 'customer', measure: 'redemptions' }],
  ['redemption.count.per_api_key', { of: 'incentive', countedBy: 'api_key', measure: 'redemptions' }],
  ['redemption.count.per_user', { of: 'incentive', countedBy: 'user', measure: 'redemptions' }],
  ['redemption.count', { of: 'incentive', countedBy: 'all', measure: 'redemptions' }],
  ['campaign.orders.amount_discounted', { of: 'campaign', countedBy: 'all', measure: 'discount_amount' }],
  ['campaign.orders.amount', { of: 'campaign', countedBy: 'all', measure: 'order_amount' }],
  ['redemption.gift.amount', { of: 'campaign', countedBy: 'all', measure: 'credits' }],
];

const periods = ['daily', 'weekly', 'monthly'] as const;

/** How the rule counts. Throws for a name that is no limit: the catalogue of rules has one that is not counted here. */
export const counterRuleOf = (ruleName: string): CounterRule => {
  for (const [name, family] of families) {
    if (ruleName === name) return { ...family, period: null };
    const period = periods.find((one) => ruleName === `${name}.${one}`);
    if (period) return { ...family, period };
  }
  throw new Error(`${ruleName} counts nothing that is known`);
};

const weekdayOf = (day: CalendarDay): number => new Date(`${day}T00:00:00Z`).getUTCDay();

const sinceOf = (
  period: CounterRule['period'],
  { now, timezone, firstWeekday = 1 }: CountedMoment,
): CalendarDay | null => {
  if (period === null) return null;
  const today = calendarDayOf(now, timezone);
  if (period === 'daily') return today;
  if (period === 'monthly') return `${today.slice(0, 8)}01`;
  return addDays(today, -((weekdayOf(today) - firstWeekday + 7) % 7));
};

/** The subject that a caller counts for; null where there is none of the kind. */
export const subjectOf = (
  countedBy: CountedBy,
  { customerId, apiKeyId, userId }: CountedCaller,
): string | null => {
  switch (countedBy) {
    case 'all':
      return '';
    case 'customer':
      return customerId;
    case 'api_key':
      return apiKeyId;
    case 'user':
      return userId;
  }
};

/** The object of the counters of a campaign. */
export const countedCampaign = (campaignId: string): string => `campaign:${campaignId}`;

/** The object of the counters of one incentive, a voucher or a promotion tier. */
export const countedIncentive = (object: string, id: string): string => `${object}:${id}`;

/** A voucher without campaign is its own campaign. Source: reference 02 §3.3. */
const objectOf = (of: CounterRule['of'], { redeemable, objectId }: CountedCandidate): string => {
  const { object, id, campaignId } = redeemable;
  return of === 'campaign' && campaignId !== undefined
    ? countedCampaign(campaignId)
    : countedIncentive(object, objectId ?? id);
};

/** The counter that a rule reads for a candidate; null where there is no such subject: the rule then fails by itself. */
export const counterOf = (
  ruleName: string,
  candidate: CountedCandidate,
  caller: CountedCaller,
  moment: CountedMoment,
): TouchedCounter | null => {
  const { of, countedBy, period } = counterRuleOf(ruleName);
  const subject = subjectOf(countedBy, caller);
  if (subject === null) return null;
  return {
    key: { object: objectOf(of, candidate), counted_by: countedBy, subject },
    since: sinceOf(period, moment),
    campaignId: of === 'incentive' ? (candidate.redeemable.campaignId ?? null) : null,
  };
};

/** The name of a counter's part: equal for what is one. */
export const counterName = ({
  key: { object, counted_by, subject },
  since,
}: Pick<TouchedCounter, 'key' | 'since'>): string => `${object} ${counted_by} ${subject} ${since ?? ''}`;
