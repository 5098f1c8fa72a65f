import { type Refusal, isRefused, refuse } from '@scrip/kernel';
import type { Discount } from './discount';
import { effectNameOf, effectOf } from './effects/registry';
import type { CalculatedOrder } from './order';
import { type OrderState, orderView } from './order-state';
import type { CalculatedRedeemable, Incentive, Redeemable } from './redeemable';
import { type StackingSettings, unsupportedSettings } from './stacking-settings';

/** What the caller decides on the running order: whether a redeemable may be used at all (dates, quantities, rules that
 *  see the order at its turn; `before()` makes that order, so ask only when a rule looks at it), and whether its result
 *  may stand (rules on the discounted order). Null: yes. */
export interface CalculationContext {
  preCheck?: (redeemable: Redeemable, before: () => CalculatedOrder | null) => Refusal | null;
  postCheck?: (redeemable: Redeemable, after: CalculatedOrder | null) => Refusal | null;
}

/** What a redemption must book besides uses of the redeemables; balances and unit budgets join here. */
export type Consumption = Record<string, never>;

/** `redeemables` in processing order; `order`: the final order, `applied_*` of the whole request, null where the
 *  request has no order. Source: spec 01 §1, §10. */
export interface Calculation {
  valid: boolean;
  redeemables: CalculatedRedeemable[];
  order: CalculatedOrder | null;
  consumption: Consumption;
}

const resolved = (discount: Discount): Discount =>
  ({ ...discount, effect: effectNameOf(discount), is_dynamic: false }) as Discount;

interface Step {
  state: OrderState | null;
  outcome: CalculatedRedeemable;
}

const apply = (
  { discount }: Incentive,
  state: OrderState | null,
  settings: StackingSettings,
): OrderState | null | Refusal => {
  const effect = effectOf(discount);
  if (isRefused(effect)) return effect;
  return state && effect.apply(state, discount, { mode: settings.discount_calculation_mode });
};

const step = (
  redeemable: Redeemable,
  state: OrderState | null,
  earlier: readonly CalculatedRedeemable[],
  settings: StackingSettings,
  { preCheck, postCheck }: CalculationContext,
): Step => {
  const { object, id, incentive } = redeemable;
  const kept = (outcome: CalculatedRedeemable): Step => ({ state, outcome });
  const inapplicable = (refusal: Refusal): Step => kept({ object, id, status: 'INAPPLICABLE', refusal });

  if (
    settings.redeemables_application_mode === 'ALL' &&
    earlier.some(({ status }) => status === 'INAPPLICABLE')
  ) {
    return kept({ object, id, status: 'SKIPPED', reason: 'preceding_validation_failed' });
  }
  const forbidden = preCheck?.(redeemable, () => state && orderView(state, state));
  if (forbidden) return inapplicable(forbidden);
  const applicableEarlier = earlier.filter(({ status }) => status === 'APPLICABLE').length;
  if (applicableEarlier >= settings.applicable_redeemables_limit) {
    return kept({ object, id, status: 'SKIPPED', reason: 'applicable_redeemables_limit_exceeded' });
  }
  if (!incentive) return inapplicable(refuse('unsupported_discount', `Nothing to apply for ${object} ${id}`));
  const after = apply(incentive, state, settings);
  if (isRefused(after)) return inapplicable(after);
  if (after === state && settings.redeemables_no_effect_rule === 'SKIP') {
    return kept({ object, id, status: 'SKIPPED', reason: 'no_effect' });
  }
  const order = after && orderView(after, state ?? after);
  const rejected = postCheck?.(redeemable, order);
  if (rejected) return inapplicable(rejected);
  return {
    state: after,
    outcome: { object, id, status: 'APPLICABLE', order, result: { discount: resolved(incentive.discount) } },
  };
};

const verdictOf = (redeemables: readonly CalculatedRedeemable[], mode: 'ALL' | 'PARTIAL'): boolean =>
  redeemables.some(({ status }) => status === 'APPLICABLE') &&
  (mode === 'PARTIAL' || redeemables.every(({ status }) => status !== 'INAPPLICABLE'));

/** Applies redeemables one after another to a normalised order (null: the request has none). Pure: same input, same
 *  output; linear in lines per redeemable. A discount that this version can't calculate makes its redeemable
 *  INAPPLICABLE with `unsupported_discount`; settings that it can't calculate by refuse the whole call with
 *  `unsupported_stacking_rules`. Source: spec 01 §1, §10. */
export const calculate = (
  order: OrderState | null,
  redeemables: readonly Redeemable[],
  settings: StackingSettings,
  context: CalculationContext = {},
): Calculation | Refusal => {
  const unsupported = unsupportedSettings(settings);
  if (unsupported) return unsupported;
  const outcomes: CalculatedRedeemable[] = [];
  let state = order;
  for (const redeemable of redeemables) {
    const taken = step(redeemable, state, outcomes, settings, context);
    state = taken.state;
    outcomes.push(taken.outcome);
  }
  return {
    valid: verdictOf(outcomes, settings.redeemables_application_mode),
    redeemables: outcomes,
    order: state && order && orderView(state, order),
    consumption: {},
  };
};
