import type { RedemptionCounts } from '@scrip/contracts/qualification';
import { calendarDayOf } from '@scrip/kernel';
import type { ConsumedUnits } from '@scrip/order-calculation';
import type { EvaluatedRedeemable } from '../evaluation/evaluate';

/** What limits count of the redeemables that apply: the order as it stands after each, and what each took off it. `units`: what
 *  all of them consume of unit budgets. `at`: business time. Source: reference 02 §3.3, reference 01 §6. */
export const countsOf = (
  redeemables: readonly Pick<EvaluatedRedeemable, 'described' | 'calculated'>[],
  at: Date,
  timezone: string,
  units: readonly ConsumedUnits[] = [],
): RedemptionCounts => ({
  day: calendarDayOf(at, timezone),
  redeemables: redeemables.flatMap(({ described, calculated }) => {
    if (!described || calculated.status !== 'APPLICABLE') return [];
    const { order, result } = calculated;
    const credits = result.gift?.credits ?? 0;
    return [
      {
        campaign_id: described.campaignId,
        object: described.related.type,
        object_id: described.related.id,
        order_amount: order?.amount ?? 0,
        discount_amount: order?.total_applied_discount_amount ?? 0,
        ...(credits === 0 ? {} : { credits }),
      },
    ];
  }),
  ...(units.length === 0
    ? {}
    : { units: units.map(({ budget, units: count }) => ({ ...budget, units: count })) }),
});
