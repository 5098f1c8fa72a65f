import { type Refusal, isRefused, refuse } from '@scrip/kernel/pure';
import type { CalculationRefusalKey } from './calculation-refusals';
import { type Applied, applyIncentive, incentiveRefusal, rewardRefusal } from './apply-incentive';
import type { BundleResult } from './bundles/bundle-rules';
import { matchBundle } from './bundles/match-bundle';
import type { CalculationContext } from './calculation-context';
import { type Consumption, ConsumptionLedger } from './consumption';
import type { CalculatedOrder } from './order/order';
import { type OrderDifference, differenceBetween } from './order/order-difference';
import { type KnownLineViews, type OrderState, orderView } from './order/order-state';
import type { CalculatedRedeemable, PromotionStack, Redeemable } from './redeemable';
import { applicable } from './applicable-outcome';
import { exceededLimit } from './stacking/applicable-limits';
import { calculationModeFor, noEffectRuleFor } from './stacking/category-overrides';
import { ClosedProducts } from './stacking/closed-products';
import { type QueuedRedeemable, processingOrder } from './stacking/processing-order';
import type { SkipReason } from './stacking/skip-reasons';
import type { StackingSettings } from './stacking/stacking-settings';
import { type Turn, catalogueOf, scopeOf } from './turn';

/** `redeemables` in processing order (stacks as their tiers); `order`: the final order, `applied_*` of the whole
 *  request, null where the request has no order; `difference`: what the whole request did to it; `consumption`: what a
 *  redemption must book.
 *  Source: reference 01 §1, §10. */
export interface Calculation<CheckKey extends string = string> {
  valid: boolean;
  redeemables: CalculatedRedeemable<CheckKey>[];
  order: CalculatedOrder | null;
  difference: OrderDifference | null;
  consumption: Consumption;
}

const noOrder: Pick<OrderState, 'lines'> = { lines: [] };

const unmetBundle = () => refuse('order_rules_violated');

/** One request being calculated: the running order and everything that later redeemables need of earlier ones. */
class StackCalculation<CheckKey extends string> {
  private order: OrderState | null;
  private readonly applied: QueuedRedeemable[] = [];
  private readonly closedProducts = new ClosedProducts();
  private readonly ledger = new ConsumptionLedger();
  private readonly outcomes: CalculatedRedeemable<CheckKey>[] = [];
  private readonly lineViews: KnownLineViews = new Map();

  constructor(
    private readonly initial: OrderState | null,
    private readonly settings: StackingSettings,
    private readonly context: CalculationContext<CheckKey>,
  ) {
    this.order = initial;
  }

  take(queued: QueuedRedeemable): void {
    this.outcomes.push(this.outcomeOf(queued));
  }

  result(): Calculation<CheckKey> {
    const { order, initial, outcomes, settings } = this;
    const isApplicable = outcomes.some(({ status }) => status === 'APPLICABLE');
    return {
      valid: isApplicable && (settings.redeemables_application_mode === 'PARTIAL' || !this.hasInapplicable()),
      redeemables: outcomes,
      order: order && initial && orderView(order, initial),
      difference: order && initial && differenceBetween(initial, order),
      consumption: this.ledger.total(),
    };
  }

  private hasInapplicable(): boolean {
    return this.outcomes.some(({ status }) => status === 'INAPPLICABLE');
  }

  private outcomeOf(queued: QueuedRedeemable): CalculatedRedeemable<CheckKey> {
    const { redeemable } = queued;
    const { object, id } = redeemable;
    const skipped = (reason: SkipReason): CalculatedRedeemable<CheckKey> => ({
      object,
      id,
      status: 'SKIPPED',
      reason,
    });
    const inapplicable = (
      refusal: Refusal<CalculationRefusalKey | CheckKey>,
      bundle?: BundleResult | null,
    ): CalculatedRedeemable<CheckKey> => ({
      object,
      id,
      status: 'INAPPLICABLE',
      refusal,
      ...(bundle ? { bundle } : {}),
    });

    const passedOver = this.passedOver(queued);
    if (passedOver) return skipped(passedOver);
    const forbidden = rewardRefusal(redeemable) ?? this.context.preCheck?.(redeemable, this.order);
    if (forbidden) return inapplicable(forbidden);
    const turn = this.turnOf(queued);
    const unusable = incentiveRefusal(turn) ?? this.context.ruleCheck?.(redeemable, this.order);
    if (unusable) return inapplicable(unusable, turn.bundle);
    if (turn.bundle?.quantity === 0) {
      return inapplicable(redeemable.bundle?.refusal ?? unmetBundle(), turn.bundle);
    }
    const exceeded = exceededLimit(queued, this.applied, this.settings);
    if (exceeded) return skipped(exceeded);
    const applied = applyIncentive(redeemable.incentive!, turn);
    if (isRefused(applied)) return inapplicable(applied);
    if (this.skipsWithoutEffect(queued, applied)) return skipped('no_effect');
    const rejected = this.context.postCheck?.(redeemable, {
      before: this.order,
      after: applied.after,
      result: applied.result,
    });
    if (rejected) return inapplicable(rejected, turn.bundle);
    return this.apply(queued, turn, applied);
  }

  /** Reasons to pass a redeemable over without looking at it. */
  private passedOver({ stackingType }: QueuedRedeemable): SkipReason | null {
    if (this.settings.redeemables_application_mode === 'ALL' && this.hasInapplicable()) {
      return 'preceding_validation_failed';
    }
    const exclusiveApplied = this.applied.some((earlier) => earlier.stackingType === 'EXCLUSIVE');
    return stackingType === 'COMMON' && exclusiveApplied ? 'exclusion_rules_not_met' : null;
  }

  private turnOf({ redeemable, categories }: QueuedRedeemable): Turn {
    const { order, settings, closedProducts, ledger, context } = this;
    return {
      redeemable,
      order,
      mode: calculationModeFor(categories, settings),
      bundle: redeemable.bundle ? matchBundle(order ?? noOrder, redeemable.bundle) : null,
      isClosed: settings.redeemables_products_application_mode === 'ONCE' ? closedProducts.has : () => false,
      spentUnits: ledger.spentUnits,
      context,
    };
  }

  private skipsWithoutEffect(
    { categories }: QueuedRedeemable,
    { after, actsOutsideOrder }: Applied,
  ): boolean {
    const hasNoEffect = this.order !== null && after === this.order && !actsOutsideOrder;
    return hasNoEffect && noEffectRuleFor(categories, this.settings) === 'SKIP';
  }

  private apply(queued: QueuedRedeemable, turn: Turn, applied: Applied): CalculatedRedeemable<CheckKey> {
    const { redeemable } = queued;
    const { object, id } = redeemable;
    const { after, result: given, coverage, touchesItems, countsUnits } = applied;
    const { matches } = coverage;
    const before = this.order;
    if (given.gift) this.ledger.bookCredits(id, given.gift.credits);
    if (given.loyalty_card) this.ledger.bookPoints(id, given.loyalty_card.points);
    if (before && after && touchesItems) this.closedProducts.note(before, after);
    if (before && after && countsUnits) this.ledger.bookUnits(coverage, before, after);
    this.applied.push(queued);
    this.order = after;
    const result = turn.bundle ? { ...given, bundle: turn.bundle } : given;
    return applicable({ object, id }, result, {
      before,
      after,
      scope: scopeOf(turn),
      coverage: { matches },
      catalogue: catalogueOf(turn),
      lineViews: this.lineViews,
    });
  }
}

/** Applies redeemables one after another to a normalised order (null: the request has none). Pure: same input, same
 *  output; linear in lines per redeemable. A redeemable that cannot apply keeps the order and is reported with its
 *  refusal; one that is passed over, with its reason. Source: reference 01 §1, §10. */
export const calculate = <CheckKey extends string = never>(
  order: OrderState | null,
  requested: readonly (Redeemable | PromotionStack)[],
  settings: StackingSettings,
  context: CalculationContext<CheckKey> = {},
): Calculation<CheckKey> => {
  const calculation = new StackCalculation(order, settings, context);
  for (const queued of processingOrder(requested, settings)) calculation.take(queued);
  return calculation.result();
};
