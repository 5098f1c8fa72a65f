import { isRefused } from '@scrip/kernel/pure';
import {
  Catalogue,
  type Discount,
  type OrderItemInput,
  type OrderState,
  defaultStackingSettings,
  normaliseOrder,
} from '@scrip/order-calculation';
import { type CompiledRule, compileRule } from '@scrip/rules';
import type { Candidate, EvaluationRequest } from './request/evaluation-request';

export const now = new Date('2026-03-31T10:00:00.000Z');

/** A compiled rule object; `rest`: its fields besides name and rules. */
export const rule = (
  rules: Readonly<Record<string, unknown>>,
  { id = 'val_1', ...rest }: Readonly<Record<string, unknown>> & { id?: string } = {},
): CompiledRule => {
  const compiled = compileRule({ name: 'Rule', rules, ...rest }, id);
  if (isRefused(compiled)) throw new Error(compiled.details);
  return compiled;
};

export const amountOff = (amount: number, more: object = {}): { discount: Discount } => ({
  discount: { type: 'AMOUNT', amount_off: amount, ...more },
});

/** A voucher of campaign `camp_1` with 1.00 off, unless told otherwise. */
export const candidate = (
  id: string,
  {
    redeemable = {},
    ...more
  }: Partial<Omit<Candidate, 'redeemable'>> & { redeemable?: Partial<Candidate['redeemable']> } = {},
): Candidate => ({
  redeemable: { object: 'voucher', id, campaignId: 'camp_1', incentive: amountOff(100), ...redeemable },
  rules: [],
  label: 'Discount Coupon',
  unusable: null,
  isHeld: false,
  counted: () => 0,
  ...more,
});

export const cart = (items: readonly OrderItemInput[], catalogue = new Catalogue()): OrderState => {
  const order = normaliseOrder({ items }, null, '', { catalogue });
  if (isRefused(order)) throw new Error(order.details);
  return order;
};

/** Four cups at 10.00. */
export const cups = cart([{ product_id: 'prod_cup', quantity: 4, price: 1000 }]);

export const requestOf = (
  requested: EvaluationRequest['requested'],
  {
    catalogue = new Catalogue(),
    unitsUsed = () => 0,
    ...more
  }: Partial<Omit<EvaluationRequest, 'context'>> & Partial<EvaluationRequest['context']> = {},
): EvaluationRequest => ({
  order: cups,
  requested,
  settings: { ...defaultStackingSettings, redeemables_application_mode: 'PARTIAL' },
  customer: null,
  redemption: { metadata: {}, apiKeyId: null, userLogin: null },
  orderMetadata: {},
  messages: {},
  context: { now, timezone: 'UTC', catalogue, unitsUsed, facts: {} },
  ...more,
});

export const customer: NonNullable<EvaluationRequest['customer']> = { segments: [], tiers: [], metadata: {} };
