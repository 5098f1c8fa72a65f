import { isRefused } from '@scrip/kernel';
import { listOf, namedShape, nullable, oneOf, parsePayload, type Reader, shape } from '@scrip/wire/requests';
import type { QualificationRefusal } from '../qualification.refusals';
import {
  giftRequest,
  redeemablesProperties,
  type RedeemablesRequest,
  wrongRedeemables,
} from './redeemables-request';

const { customer, order, metadata, session, tracking_id } = redeemablesProperties;

const options = nullable(shape({ expand: nullable(listOf(oneOf('category'))) }));

/** Body of a call for one voucher, which the path names. Source: reference 03 §5.3, §6.3. */
export const voucherRequest = namedShape('VoucherCallRequest', {
  customer,
  order,
  metadata,
  session,
  tracking_id,
  gift: giftRequest,
  options,
});

/** Body of a call for one tier, which the path names, or for all that are valid. Source: reference 03 §5.4, §6.3. */
export const tierRequest = namedShape('TierCallRequest', { customer, order, metadata, tracking_id, options });

/** A body that works. */
export const singleExample = { order: { amount: 2_000 }, customer: { source_id: 'ada' } };

/** What a call for one object says beside the object. */
export type SingleRequest = typeof voucherRequest extends Reader<infer T> ? T : never;

/** What a call for tiers says. */
export type TierRequest = typeof tierRequest extends Reader<infer T> ? T : never;

/** A call for one object, and the same as a call for redeemables says it. */
export interface SingleCall {
  sent: SingleRequest;
  request: RedeemablesRequest;
}

/** The object that a path names; of a voucher by its code or its id. */
type SingleObject = Pick<RedeemablesRequest['redeemables'][number], 'object' | 'id'>;

type Query = Pick<SingleRequest, 'tracking_id'>;

/** Everything is shown that the answer of one object has. */
const asRedeemables = (
  { gift, options: _, ...others }: SingleRequest,
  object: SingleObject,
): RedeemablesRequest => ({
  ...others,
  redeemables: [{ ...object, ...(gift ? { gift } : {}) }],
  options: { expand: ['order', 'redemption'] },
});

/** Whether a call asks for the categories. */
export const asksForCategories = ({ options: chosen }: Pick<SingleRequest, 'options'>): boolean =>
  chosen?.expand?.includes('category') ?? false;

const singleCall =
  (reader: Reader<SingleRequest>, object: SingleObject['object']) =>
  (body: unknown, id: string, query: Query = {}): SingleCall | QualificationRefusal => {
    const read = parsePayload(reader, body ?? {});
    if (isRefused(read)) return read;
    const sent = { ...query, ...read };
    const request = asRedeemables(sent, { object, id });
    return wrongRedeemables(request) ?? { sent, request };
  };

/** The call for one voucher that says this. An order of a query has no status that could be wrong. */
export const voucherCallOf = (sent: SingleRequest, id: string): SingleCall => ({
  sent,
  request: asRedeemables(sent, { object: 'voucher', id }),
});

/** Reads the body of a call for one voucher. `query`: what the query says; the body wins. Refuses `invalid_payload` and
 *  `invalid_order`. */
export const parseVoucherCall = singleCall(voucherRequest, 'voucher');

/** The same for one tier. */
export const parseTierCall = singleCall(tierRequest, 'promotion_tier');

/** The same for all tiers. */
export const parseTiersCall = (body: unknown): TierRequest | QualificationRefusal => {
  const read = parsePayload(tierRequest, body ?? {});
  return isRefused(read) ? read : (wrongRedeemables({ redeemables: [], order: read.order }) ?? read);
};
