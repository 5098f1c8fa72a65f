import type { RelatedRollback } from '../redemption/redemption-entry.wire';
import type { RedemptionState } from '../redemption/redemption.aggregate';

/** The rollbacks and children that belong to a redemption; undefined where there are none. `withMode`: reads show
 *  what a rollback did to its order, lists do not. Source: reference 03 §7. */
export const relatedTo = ({ redemption, rollback }: RedemptionState, { withMode }: { withMode: boolean }) => {
  const rollbacks: RelatedRollback[] | undefined = rollback?.finished
    ? [
        {
          id: rollback.rollback.id,
          date: rollback.rollback.date,
          ...(withMode ? { rollback_order_mode: rollback.rollback.rollback_order_mode ?? 'WITH_ORDER' } : {}),
        },
      ]
    : undefined;
  const redemptions = redemption.stacked?.map((id) => ({ id, date: redemption.date }));
  return rollbacks || redemptions
    ? { ...(rollbacks ? { rollbacks } : {}), ...(redemptions ? { redemptions } : {}) }
    : undefined;
};
