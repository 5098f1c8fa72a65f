import { type Refusal, isRefused, refuse } from '@scrip/kernel/pure';
import type { CalculationRefusalKey } from './calculation-refusals';
import { scaleByBundle } from './bundles/scale-by-bundle';
import type { Discount } from './discount';
import { effectNameOf, effectOf } from './effects/registry';
import { resolveDiscount } from './effects/resolve-discount';
import { type OrderState, openTotalOf } from './order/order-state';
import { creditsRefusal, payWithCredits } from './payment/pay-with-credits';
import { payWithPoints, pointsRefusal } from './payment/pay-with-points';
import { paymentRefusals } from './payment/payment-refusals';
import type { GiftIncentive, Incentive, Redeemable, RedeemableResult, RewardIncentive } from './redeemable';
import { type Coverage, emptyCoverage } from './scoping/coverage';
import { type ItemScope, definitionsOf } from './scoping/item-scope';
import { type Turn, catalogueOf, coverageAt, onWholeOrder, scopeOf } from './turn';
import { replacingTurn } from './units/replacing-turn';
import { shownUnits } from './units/shown-units';

/** What a redeemable made of the order at its turn. */
export interface Applied {
  readonly after: OrderState | null;
  readonly result: RedeemableResult;
  /** What items it was allowed to touch, and by which definitions. */
  readonly coverage: Coverage;
  readonly touchesItems: boolean;
  /** Whether the units it covered count for unit budgets. */
  readonly countsUnits: boolean;
  /** Whether it counts as an effect although the order is the same. */
  readonly actsOutsideOrder: boolean;
}

const isScoped = (scope: ItemScope): boolean => definitionsOf(scope).length > 0 || scope.excluded.length > 0;

const coveringTurn = (discount: Discount, effect: string, turn: Turn): Turn => {
  if (effect === 'APPLY_TO_ORDER') return onWholeOrder(turn);
  return discount.type === 'UNIT' && effect === 'REPLACE_ITEMS' ? replacingTurn(discount, turn) : turn;
};

const applyDiscount = (
  { discount }: { discount: Discount },
  turn: Turn,
): Applied | Refusal<CalculationRefusalKey> => {
  const { redeemable, order, bundle, mode, context, isClosed } = turn;
  const ownScope = scopeOf(turn);
  const effect = effectOf(discount, ownScope);
  if (isRefused(effect)) return effect;
  const name = effectNameOf(discount, ownScope);
  const touchesItems = name !== 'APPLY_TO_ORDER';
  const countsUnits = touchesItems && !name.startsWith('ADD_');
  const { times, scope } =
    bundle && redeemable.bundle
      ? scaleByBundle(discount, name, ownScope, bundle.quantity, redeemable.bundle.scaling)
      : { times: 1, scope: ownScope };
  const coverage =
    touchesItems || isScoped(scope) ? coverageAt(coveringTurn(discount, name, turn), scope) : emptyCoverage;
  const catalogue = catalogueOf(turn);
  const resolved = resolveDiscount(discount, {
    effect: name,
    order,
    redeemable,
    coverage,
    bundleQuantity: bundle?.quantity,
    times,
    context,
  });
  const after = order && effect.apply(order, resolved, { mode, coverage, catalogue, isClosed });
  const shown =
    resolved.discount.type === 'UNIT' ? shownUnits(resolved.discount, order, catalogue) : resolved.discount;
  return {
    after,
    result: { discount: shown },
    coverage,
    touchesItems,
    countsUnits,
    actsOutsideOrder: false,
  };
};

const applyGift = ({ gift }: GiftIncentive, turn: Turn): Applied => {
  const touchesItems = gift.effect === 'APPLY_TO_ITEMS';
  const scope = scopeOf(turn);
  const coverage =
    touchesItems || isScoped(scope) ? coverageAt(touchesItems ? turn : onWholeOrder(turn)) : emptyCoverage;
  const after = turn.order && payWithCredits(turn.order, gift, coverage);
  const credits = after && turn.order ? openTotalOf(turn.order) - openTotalOf(after) : 0;
  const result = { gift: { balance: gift.balance, credits } };
  return {
    after,
    result,
    coverage,
    touchesItems,
    countsUnits: touchesItems,
    actsOutsideOrder: false,
  };
};

const applyReward = (reward: NonNullable<RewardIncentive['reward']>, turn: Turn): Applied => {
  const scope = scopeOf(turn);
  const { order: after, points } = payWithPoints(turn.order, reward);
  return {
    after,
    result: { loyalty_card: { points } },
    coverage: isScoped(scope) ? coverageAt(onWholeOrder(turn)) : emptyCoverage,
    touchesItems: false,
    countsUnits: false,
    actsOutsideOrder: reward.type !== 'COIN',
  };
};

/** Refuses a card for which no reward was named; before anything else about the card. Null: nothing is missing.
 *  Source: reference 03 §4.3 (check 2). */
export const rewardRefusal = ({ incentive }: Redeemable): Refusal<CalculationRefusalKey> | null =>
  incentive && 'reward' in incentive && !incentive.reward ? paymentRefusals.missingReward() : null;

/** Why what the redeemable gives cannot be used for this request, whatever its rules say; null when it can.
 *  Source: reference 01 §7, reference 03 §4.3 (checks 12–14). */
export const incentiveRefusal = (turn: Turn): Refusal<CalculationRefusalKey> | null => {
  const { object, id, incentive } = turn.redeemable;
  if (!incentive) return refuse('unsupported_discount', `Nothing to apply for ${object} ${id}`);
  if ('gift' in incentive) return creditsRefusal(incentive.gift, id, turn.order, scopeOf(turn));
  if ('reward' in incentive && incentive.reward) return pointsRefusal(incentive.reward, id, turn.order);
  return null;
};

/** What the redeemable makes of the order. Refuses `unsupported_discount` for a discount that has no such effect.
 *  Source: reference 01 §5–§9. */
export const applyIncentive = (
  incentive: Incentive,
  turn: Turn,
): Applied | Refusal<CalculationRefusalKey> => {
  if ('gift' in incentive) return applyGift(incentive, turn);
  if ('discount' in incentive) return applyDiscount(incentive, turn);
  return incentive.reward ? applyReward(incentive.reward, turn) : paymentRefusals.missingReward();
};
