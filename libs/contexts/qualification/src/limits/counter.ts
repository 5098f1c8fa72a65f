import type { RedemptionCounts, RedemptionSnapshot } from '@scrip/contracts/qualification';
import type { CalendarDay } from '@scrip/kernel';

/** What a counter is kept for: everybody, each customer, each calling key, each team member. */
export type CountedBy = 'all' | 'customer' | 'api_key' | 'user';

/** What is counted together. `object`: `campaign:camp_1`, `voucher:v_1`, `promotion_tier:promo_1`. */
export interface CounterScope {
  object: string;
  counted_by: CountedBy;
}

/** One counter of a scope. `subject`: the customer, key or team member; '' for everybody. */
export interface CounterKey extends CounterScope {
  subject: string;
}

/** Amounts: minor units. */
export interface Counted {
  redemptions: number;
  order_amount: number;
  discount_amount: number;
  credits: number;
}

/** What one redeemable adds to one counter, in the period of its day. */
export interface Addition {
  key: CounterKey;
  day: CalendarDay;
  by: Counted;
}

/** A redemption as limits see it. */
export interface CountedRedemption extends Pick<RedemptionSnapshot, 'customer_id' | 'channel'> {
  counts: RedemptionCounts;
}

export const nothing: Counted = { redemptions: 0, order_amount: 0, discount_amount: 0, credits: 0 };

export const sum = (a: Counted, b: Counted): Counted => ({
  redemptions: a.redemptions + b.redemptions,
  order_amount: a.order_amount + b.order_amount,
  discount_amount: a.discount_amount + b.discount_amount,
  credits: a.credits + b.credits,
});

export const textOf = ({ object, counted_by, subject }: CounterKey): string =>
  `${object} ${counted_by} ${subject}`;

type Redeemed = RedemptionCounts['redeemables'][number];

/** The objects that a redeemable counts for. A voucher without campaign is its own campaign. */
export const objectsOf = ({
  campaign_id,
  object,
  object_id,
}: Pick<Redeemed, 'campaign_id' | 'object' | 'object_id'>) =>
  campaign_id === null ? [`${object}:${object_id}`] : [`campaign:${campaign_id}`, `${object}:${object_id}`];

/** The subject that a redemption counts for; null where it has none. */
export const subjectOf = (
  countedBy: CountedBy,
  { customer_id, channel }: Pick<CountedRedemption, 'customer_id' | 'channel'>,
): string | null => {
  switch (countedBy) {
    case 'all':
      return '';
    case 'customer':
      return customer_id;
    case 'api_key':
      return channel.channel_type === 'API' ? channel.channel_id : null;
    case 'user':
      return channel.channel_type === 'USER' ? channel.channel_id : null;
  }
};

const amountsOf = ({ order_amount, discount_amount, credits = 0 }: Redeemed): Counted => ({
  redemptions: 1,
  order_amount,
  discount_amount,
  credits,
});

/** What a redemption adds to the counters of some scopes. Derived from its facts alone, so that a counter that is
 *  activated later counts it as well. Pure. Source: reference 02 §3.3. */
export const additionsOf = (redemption: CountedRedemption, scopes: readonly CounterScope[]): Addition[] =>
  redemption.counts.redeemables.flatMap((redeemed) => {
    const objects = objectsOf(redeemed);
    return scopes.flatMap(({ object, counted_by }) => {
      const subject = objects.includes(object) ? subjectOf(counted_by, redemption) : null;
      return subject === null
        ? []
        : [{ key: { object, counted_by, subject }, day: redemption.counts.day, by: amountsOf(redeemed) }];
    });
  });
