import type { OrderState } from '@scrip/order-calculation';
import type { Moment } from '../conditions/conditions';
import type { RuleContext } from '../evaluation/rule-context';

/** A context in which only an order exists: enough for rules about its lines. */
export const lineContext = (order: OrderState | null, { now, timezone }: Moment): RuleContext => ({
  now,
  timezone,
  customer: null,
  order: order && { initial: order, before: order, after: null, metadata: {} },
  redemption: null,
  customEvent: null,
  counted: () => 0,
});
