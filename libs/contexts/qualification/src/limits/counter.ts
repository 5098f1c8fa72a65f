import type { RedemptionCounts, RedemptionSnapshot } from '@scrip/contracts/qualification';
import type { CalendarDay } from '@scrip/kernel';
import { isPerCustomer, type UnitBudget, unitBudgetName } from '@scrip/order-calculation';
import {
  type Counted,
  type CountedBy,
  type CounterKey,
  countedCampaign,
  countedIncentive,
  subjectOf,
} from '@scrip/order-preview';
import { callerOf } from './redeemer';

/** What is counted. `object`: what is counted together (`campaign:camp_1`, `voucher:v_1`, `promotion_tier:promo_1`), or
 *  `incentives:camp_1`: each incentive of the campaign by itself. */
export interface CounterScope {
  object: string;
  counted_by: CountedBy;
}

/** What a row counts. `units`: discounted units, of unit budgets only. */
export interface CountedAmounts extends Counted {
  readonly units: number;
}

/** What a redemption adds to one counter, in the period of its day. `day` null: the counter has no periods. */
export interface Addition {
  key: CounterKey;
  day: CalendarDay | null;
  by: CountedAmounts;
}

/** A redemption as limits see it. */
export interface CountedRedemption extends Pick<RedemptionSnapshot, 'customer_id' | 'channel'> {
  counts: RedemptionCounts;
}

export const noAmounts: CountedAmounts = {
  redemptions: 0,
  order_amount: 0,
  discount_amount: 0,
  credits: 0,
  units: 0,
};

export const addedAmounts = (a: CountedAmounts, b: CountedAmounts): CountedAmounts => ({
  redemptions: a.redemptions + b.redemptions,
  order_amount: a.order_amount + b.order_amount,
  discount_amount: a.discount_amount + b.discount_amount,
  credits: a.credits + b.credits,
  units: a.units + b.units,
});

/** Names a scope: equal for what is one. */
export const scopeName = ({ object, counted_by }: CounterScope): string => `${object} ${counted_by}`;

type Redeemed = RedemptionCounts['redeemables'][number];

const eachOf = 'incentives:';

/** Each incentive of a campaign, counted by itself. */
export const incentivesOf = (campaignId: string): string => `${eachOf}${campaignId}`;

/** The counter of one incentive within `incentivesOf` its campaign. */
export const incentiveWithin = (campaignId: string, object: string): string =>
  `${incentivesOf(campaignId)}/${object}`;

/** The objects of scopes that a redeemable counts for. A voucher without campaign is its own campaign. */
export const objectsOf = (redeemed: Pick<Redeemed, 'campaign_id' | 'object' | 'object_id'>): string[] => {
  const { campaign_id, object, object_id } = redeemed;
  const own = countedIncentive(object, object_id);
  return campaign_id === null ? [own] : [countedCampaign(campaign_id), incentivesOf(campaign_id), own];
};

const amountsOf = ({ order_amount, discount_amount, credits = 0 }: Redeemed): CountedAmounts => ({
  redemptions: 1,
  order_amount,
  discount_amount,
  credits,
  units: 0,
});

/** What a redemption adds to the counters of some scopes. Derived from its facts alone, so that a counter that is
 *  activated later counts it as well. Pure. Source: reference 02 §3.3. */
export const additionsOf = (redemption: CountedRedemption, scopes: readonly CounterScope[]): Addition[] => {
  const { day, redeemables } = redemption.counts;
  const caller = callerOf(redemption);
  return redeemables.flatMap((redeemed) => {
    const objects = objectsOf(redeemed);
    return scopes.flatMap(({ object: scope, counted_by }) => {
      const subject = objects.includes(scope) ? subjectOf(counted_by, caller) : null;
      if (subject === null) return [];
      const object = scope.startsWith(eachOf)
        ? `${scope}/${countedIncentive(redeemed.object, redeemed.object_id)}`
        : scope;
      return [{ key: { object, counted_by, subject }, day, by: amountsOf(redeemed) }];
    });
  });
};

/** The counter of a unit budget: of `customerId` where it counts each customer alone. */
export const budgetKeyOf = (budget: UnitBudget, customerId: string | null): CounterKey => ({
  object: `units:${unitBudgetName(budget)}`,
  ...(isPerCustomer(budget)
    ? { counted_by: 'customer', subject: customerId ?? '' }
    : { counted_by: 'all', subject: '' }),
});

/** What a redemption adds to unit budgets: they count from the first redemption that they bound. Source: reference 01 §6. */
export const unitsOf = ({ customer_id, counts: { units = [] } }: CountedRedemption): Addition[] =>
  units.map(({ units: count, ...budget }) => ({
    key: budgetKeyOf(budget, customer_id),
    day: null,
    by: { ...noAmounts, units: count },
  }));
