import { leastCpuMs } from '@scrip/testing';
import { isRefused } from '@scrip/kernel';
import { Catalogue, type OrderState, normaliseOrder } from '@scrip/order-calculation';
import { type CompiledRule, compileRule } from './compile/compile-rule';
import type { RuleContext } from './evaluation/rule-context';

/** A line to be: its product (with the collections that hold it), units and price of one. */
export interface CartLine {
  product?: string;
  sku?: string;
  sourceId?: string;
  collections?: readonly string[];
  quantity?: number;
  price?: number;
  amount?: number;
  metadata?: Record<string, unknown>;
  productMetadata?: Record<string, unknown>;
  skuMetadata?: Record<string, unknown>;
}

export const at = { now: new Date('2026-03-31T12:00:00Z'), timezone: 'UTC' };

/** An order as rules see it; `amount`: sent with the order. */
export const cart = (lines: readonly CartLine[], amount?: number): OrderState => {
  const order = normaliseOrder(
    {
      ...(amount !== undefined && { amount }),
      items: lines.map((line) => ({
        ...(line.product !== undefined && { product_id: line.product }),
        ...(line.sku !== undefined && { sku_id: line.sku }),
        ...(line.sourceId !== undefined && {
          source_id: line.sourceId,
          related_object: 'product' as const,
        }),
        ...(line.price !== undefined && { price: line.price }),
        ...(line.amount !== undefined && { amount: line.amount }),
        ...(line.metadata && { metadata: line.metadata }),
        ...(line.productMetadata && { product: { metadata: line.productMetadata } }),
        ...(line.skuMetadata && { sku: { metadata: line.skuMetadata } }),
        quantity: line.quantity ?? 1,
      })),
    },
    null,
    '',
    { catalogue: new Catalogue(), collections: lines.map(({ collections = [] }) => collections) },
  );
  if (isRefused(order)) throw new Error(order.details);
  return order;
};

/** The order after `amount` came off it. */
export const discounted = (order: OrderState, amount: number): OrderState => ({
  ...order,
  discountAmount: order.discountAmount + amount,
});

/** What a context has of an order, before any incentive. */
export const orderPart = (
  order: OrderState,
  changes: Partial<NonNullable<RuleContext['order']>> = {},
): RuleContext['order'] => ({ initial: order, before: order, after: null, metadata: {}, ...changes });

export const someone: NonNullable<RuleContext['customer']> = {
  segments: [],
  tiers: [],
  metadata: {},
  holdsVoucher: false,
};

export const byKey: NonNullable<RuleContext['redemption']> = {
  metadata: {},
  apiKeyId: 'app_1',
  userLogin: null,
  pointsUsed: null,
  giftAmount: 0,
};

/** A context in which nothing exists but what is given. */
export const contextOf = (given: Partial<RuleContext> = {}): RuleContext => ({
  ...at,
  customer: null,
  order: null,
  redemption: null,
  customEvent: null,
  counted: () => 0,
  ...given,
});

/** A compiled rule object; `rest`: its fields besides name and rules. */
export const ruleObject = (
  rules: Readonly<Record<string, unknown>>,
  { id = 'val_1', ...rest }: Readonly<Record<string, unknown>> & { id?: string } = {},
): CompiledRule => {
  const rule = compileRule({ name: 'Rule', rules, ...rest }, id);
  if (isRefused(rule)) throw new Error(rule.details);
  return rule;
};

/** A rule object with one rule. */
export const oneRule = (
  name: string,
  conditions: Readonly<Record<string, readonly unknown[]>>,
  rest: Readonly<Record<string, unknown>> = {},
): CompiledRule => ruleObject({ 1: { name, conditions, ...rest } });

/** The details with which a definition is refused. */
export const problemOf = (rules: unknown, rest: Readonly<Record<string, unknown>> = {}): string | null => {
  const rule = compileRule({ name: 'Rule', rules, ...rest }, 'val_1');
  return isRefused(rule) ? (rule.details ?? '') : null;
};

/** The CPU milliseconds that `work` takes when nothing disturbs it: the least of several runs. */
export const quickestMs = (work: () => unknown): number => leastCpuMs(work, { runs: 10 });
