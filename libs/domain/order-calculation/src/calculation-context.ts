import type { FormulaContext } from '@scrip/formulas';
import type { Refusal } from '@scrip/kernel/pure';
import type { Catalogue } from './catalogue/catalogue';
import type { OrderState } from './order/order-state';
import type { Redeemable, RedeemableResult } from './redeemable';
import type { UnitBudget } from './scoping/unit-budget';

/** What formulas may read of the request. */
export type RequestFacts = Pick<FormulaContext, 'customer' | 'redemptionMetadata'> & {
  readonly orderMetadata: Readonly<Record<string, unknown>>;
};

/** What a redeemable made of the order: the states before and after it, null where the request has no order. */
export interface AppliedStep {
  readonly before: OrderState | null;
  readonly after: OrderState | null;
  readonly result: RedeemableResult;
}

/** Everything that was loaded before and everything the caller decides on the running order. All optional: what is
 *  absent is unknown, and what needs it falls back or does nothing. `CheckKey`: what the checks refuse with.
 *  Source: reference 01 §1. */
export interface CalculationContext<CheckKey extends string = string> {
  readonly now?: Date;
  /** IANA name of the project's time zone; absent: UTC. */
  readonly timezone?: string;
  readonly catalogue?: Catalogue;
  readonly facts?: Partial<RequestFacts>;
  /** Whether there is a customer: without one, budgets per customer are not checked. */
  readonly hasCustomer?: boolean;
  /** Units that a budget has counted so far, before this request. Absent: none. */
  readonly unitsUsed?: (budget: UnitBudget, redeemable: Redeemable) => number;
  /** Whether a redeemable may be used at all: existence, dates, quantities. Null: yes. */
  readonly preCheck?: (redeemable: Redeemable, before: OrderState | null) => Refusal<CheckKey> | null;
  /** Whether its rules hold on the order at its turn; asked when balances and order suffice. Null: yes. */
  readonly ruleCheck?: (redeemable: Redeemable, before: OrderState | null) => Refusal<CheckKey> | null;
  /** Whether its result may stand: rules on the discounted order, budgets of money. Null: yes. */
  readonly postCheck?: (redeemable: Redeemable, step: AppliedStep) => Refusal<CheckKey> | null;
}
