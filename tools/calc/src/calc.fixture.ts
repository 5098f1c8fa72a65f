import { type Calculation, evaluateRequest } from '@scrip/order-preview';
import type { RequestFile } from './request-file/request-file';
import { readRequest } from './request-file/read-request';

/** When files are calculated that don't say. */
export const clock = new Date('2026-03-31T10:00:00.000Z');

/** A file as it may be written in a test: wrong ones, too. */
export type Draft = Omit<Partial<RequestFile>, 'redeemables'> & { readonly redeemables?: readonly unknown[] };

export const draft = (file: unknown): string => JSON.stringify(file);

/** The calculation of a right file. */
export const calculated = (file: Draft): Calculation => {
  const request = readRequest(draft(file), clock);
  if (Array.isArray(request)) throw new Error(JSON.stringify(request));
  return evaluateRequest(request);
};

/** A voucher that takes an amount off the order. */
export const amountOff = (id: string, amount: number, more: object = {}) => ({
  object: 'voucher',
  id,
  discount: { type: 'AMOUNT', amount_off: amount },
  ...more,
});

/** A rule object with one rule. */
export const oneRule = (name: string, conditions: object, more: object = {}) => ({
  id: 'val_1',
  name: 'A rule',
  rules: { '1': { name, conditions } },
  ...more,
});

/** What became of each redeemable: its status, or why not. */
export const outcomes = ({ redeemables }: Calculation): string[] =>
  redeemables.map((one) => {
    if (one.status === 'APPLICABLE') return String(one.order?.total_applied_discount_amount ?? 0);
    return one.status === 'SKIPPED' ? one.reason : one.refusal.refused;
  });
