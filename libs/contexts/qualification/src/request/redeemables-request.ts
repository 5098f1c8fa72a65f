import { isRefused, refuse } from '@scrip/kernel';
import type { QualificationRefusal } from '../qualification.refusals';
import { sessionRequest, tooLongSession } from '../session/session';
import {
  type Reader,
  customerRequest,
  described,
  filledText,
  integerFrom,
  identifier,
  jsonObject,
  listOf,
  namedShape,
  nullable,
  oneOf,
  orderRequest,
  parsePayload,
  required,
  shape,
} from '@scrip/wire/requests';

/** What of a gift card is spent. */
export const giftRequest = nullable(
  shape({
    credits: nullable(
      described(
        integerFrom(0),
        'Credits to spend of a gift card, minor units; as many as balance and order allow where it is not sent.',
      ),
    ),
  }),
);

/** One thing that a caller asks to apply. `id` of a voucher: its code or its `v_` id. Source: reference 03 §3.1. */
const redeemable = namedShape('RedeemableRequest', {
  object: required(oneOf('voucher', 'promotion_tier', 'promotion_stack')),
  id: required(
    described(
      filledText,
      'Code of a voucher, or its id. Codes are case-sensitive unless the project was made with `case_sensitive_codes: false`; ids are.',
    ),
  ),
  gift: giftRequest,
});

const expand = oneOf('order', 'redemption', 'redeemable', 'category');

/** Properties of a body that names redeemables: 30 where the project sets no lower limit. Source: reference 03 §3, §4.1. */
export const redeemablesProperties = {
  redeemables: required(listOf(redeemable, { least: 1, most: 30 })),
  options: nullable(shape({ expand: nullable(listOf(expand)) })),
  customer: nullable(customerRequest),
  order: nullable(orderRequest),
  session: nullable(sessionRequest),
  tracking_id: nullable(identifier),
  metadata: nullable(jsonObject),
};

/** Body of POST /v1/validations and POST /v1/redemptions. */
export const redeemablesRequest = namedShape('RedeemablesRequest', redeemablesProperties);

/** A body that works once the code exists. */
export const redeemablesExample = {
  redeemables: [{ object: 'voucher', id: 'SPRING-1' }],
  customer: { source_id: 'ada' },
  order: { amount: 2_000, items: [{ product_id: 'prod_1', quantity: 2, price: 1_000 }] },
};

export type RedeemablesRequest = typeof redeemablesRequest extends Reader<infer T> ? T : never;
export type RedeemableRequest = RedeemablesRequest['redeemables'][number];
/** What a request says beside its redeemables. */
export type RequestParties = Pick<RedeemablesRequest, 'customer' | 'order' | 'tracking_id' | 'metadata'>;
export type Expand = 'order' | 'redemption' | 'redeemable' | 'category';

const duplicates = (): QualificationRefusal =>
  refuse('duplicated_redeemables', 'Duplicated redeemables detected in one redemption');

/** Why a request is refused before anything is loaded: `invalid_payload` for a session that lasts too long, `duplicated_redeemables`,
 *  `invalid_redeemables`, `invalid_order`, in that order; null: it is not. Source: reference 03 §3.1, §8. */
export const wrongRedeemables = ({
  redeemables,
  order,
  session,
}: Pick<RedeemablesRequest, 'redeemables' | 'order' | 'session'>): QualificationRefusal | null => {
  const tooLong = tooLongSession(session);
  if (tooLong) return tooLong;
  if (new Set(redeemables.map(({ object, id }) => `${object} ${id}`)).size < redeemables.length)
    return duplicates();
  if (redeemables.length > 1 && redeemables.some(({ object }) => object === 'promotion_stack')) {
    return refuse('invalid_redeemables', 'Promotion Stack cannot be use with other redeemables');
  }
  return order?.status === 'CANCELED'
    ? refuse('invalid_order', 'An order cannot be redeemed with status CANCELED')
    : null;
};

/** Reads a body. Refuses `invalid_payload`, and as `wrongRedeemables`. */
export const parseRedeemablesRequest = (body: unknown): RedeemablesRequest | QualificationRefusal => {
  const request = parsePayload(redeemablesRequest, body);
  return isRefused(request) ? request : (wrongRedeemables(request) ?? request);
};

/** A voucher that is named once by its code and once by its id is named twice. Source: reference 03 §3.1. */
export const namesOneVoucherTwice = (voucherIds: readonly string[]): QualificationRefusal | null =>
  new Set(voucherIds).size < voucherIds.length ? duplicates() : null;

/** The expansions asked for; `order` where nothing is said. Source: reference 03 §3.5. */
export const expansionsOf = ({ options }: RedeemablesRequest): ReadonlySet<Expand> =>
  new Set<Expand>(options?.expand?.length ? options.expand : ['order']);
