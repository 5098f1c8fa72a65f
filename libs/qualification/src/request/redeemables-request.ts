import { type Refusal, isRefused, refuse } from '@scrip/kernel';
import { customerRequest } from './customer-request';
import { orderRequest } from './order-request';
import {
  type Reader,
  filledText,
  identifier,
  jsonObject,
  listOf,
  nullable,
  oneOf,
  parsePayload,
  required,
  shape,
  unsupported,
} from './payload-reader';

const sessions = 'sessions come with a later release';

/** One thing that a caller asks to apply. `id` of a voucher: its code or its `v_` id. Source: spec 03 §3.1. */
const redeemable = shape({
  object: required(oneOf('voucher', 'promotion_tier', 'promotion_stack')),
  id: required(filledText),
});

const expand = oneOf('order', 'redemption', 'redeemable', 'category');

/** Body of POST /v1/validations and POST /v1/redemptions; 30 redeemables where the project sets no lower limit.
 *  Source: spec 03 §3, §4.1. */
export const redeemablesRequest = shape({
  redeemables: required(listOf(redeemable, { least: 1, most: 30 })),
  options: nullable(shape({ expand: nullable(listOf(expand)) })),
  customer: nullable(customerRequest),
  order: nullable(orderRequest),
  session: unsupported(sessions),
  tracking_id: nullable(identifier),
  metadata: nullable(jsonObject),
});

/** A body that works once the code exists. */
export const redeemablesExample = {
  redeemables: [{ object: 'voucher', id: 'SPRING-1' }],
  customer: { source_id: 'ada' },
  order: { amount: 2_000, items: [{ product_id: 'prod_1', quantity: 2, price: 1_000 }] },
};

export type RedeemablesRequest = typeof redeemablesRequest extends Reader<infer T> ? T : never;
export type RedeemableRequest = RedeemablesRequest['redeemables'][number];
export type Expand = 'order' | 'redemption' | 'redeemable' | 'category';

const duplicates = (): Refusal =>
  refuse('duplicated_redeemables', 'Duplicated redeemables detected in one redemption');

/** Reads a body and refuses what is wrong with it before anything is loaded: `invalid_payload`,
 *  `duplicated_redeemables`, `invalid_redeemables`, in that order. Source: spec 03 §3.1. */
export const parseRedeemablesRequest = (body: unknown): RedeemablesRequest | Refusal => {
  const request = parsePayload(redeemablesRequest, body);
  if (isRefused(request)) return request;
  const { redeemables, order } = request;
  if (new Set(redeemables.map(({ object, id }) => `${object} ${id}`)).size < redeemables.length)
    return duplicates();
  if (redeemables.length > 1 && redeemables.some(({ object }) => object === 'promotion_stack')) {
    return refuse('invalid_redeemables', 'Promotion Stack cannot be use with other redeemables');
  }
  return order?.status === 'CANCELED'
    ? refuse('invalid_order', 'An order cannot be redeemed with status CANCELED')
    : request;
};

/** A voucher that is named once by its code and once by its id is named twice. Source: spec 03 §3.1†. */
export const namesOneVoucherTwice = (voucherIds: readonly string[]): Refusal | null =>
  new Set(voucherIds).size < voucherIds.length ? duplicates() : null;

/** The expansions asked for; `order` where nothing is said. Source: spec 03 §3.5. */
export const expansionsOf = ({ options }: RedeemablesRequest): ReadonlySet<Expand> =>
  new Set<Expand>(options?.expand?.length ? options.expand : ['order']);
