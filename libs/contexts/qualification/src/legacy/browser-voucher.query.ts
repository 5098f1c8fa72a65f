import { IsAnything, IsText } from '@scrip/edge';
import { isRefused, type Refusal, refuse } from '@scrip/kernel';
import {
  customerRequest,
  described,
  identifier,
  integerFrom,
  jsonObject,
  listOf,
  nameOr,
  nullable,
  orderItemRequest,
  orderItemsMax,
  parsePayload,
  shape,
} from '@scrip/wire/requests';
import { IsOptional } from 'class-validator';
import { type SingleCall, voucherCallOf } from '../request/single-request';
import { isTooLong, sessionFields } from '../session/session';
import { SingleRedemptionQuery } from './single-redemption.query';

const texts = described(jsonObject, 'Values are texts.');

const orderOfQuery = shape({ metadata: nullable(texts) });

const fields = {
  amount: described(integerFrom(0), 'Of the order, minor units.'),
  item: listOf(orderItemRequest, { most: orderItemsMax }),
  customer: described(
    nameOr((source_id) => ({ source_id }), customerRequest),
    'A source id, or fields of the customer.',
  ),
  metadata: texts,
  order: orderOfQuery,
};

const query = shape({
  amount: nullable(fields.amount),
  item: nullable(fields.item),
  customer: nullable(fields.customer),
  metadata: nullable(fields.metadata),
  order: nullable(fields.order),
  tracking_id: nullable(identifier),
  session_key: nullable(sessionFields.key),
  session_type: nullable(sessionFields.type),
  session_ttl: nullable(sessionFields.ttl),
  session_ttl_unit: nullable(sessionFields.ttl_unit),
});

/** What the query of POST /client/v1/redeem says. Source: reference 03 §2. */
export class BrowserRedemptionQuery extends SingleRedemptionQuery {
  /** Of the voucher, or its id; required. */
  @IsOptional() @IsText({ max: 512 }) code?: string;
}

/** Query of GET /client/v1/validate. Source: reference 03 §5.3. */
export class BrowserValidationQuery extends BrowserRedemptionQuery {
  @IsOptional() @IsAnything(fields.amount.schema) amount?: unknown;
  @IsOptional() @IsAnything(fields.item.schema) item?: unknown;
  @IsOptional() @IsAnything(fields.customer.schema) customer?: unknown;
  @IsOptional() @IsAnything(fields.metadata.schema) metadata?: unknown;
  @IsOptional() @IsAnything(fields.order.schema) order?: unknown;
  @IsOptional() @IsAnything(sessionFields.key.schema) session_key?: unknown;
  @IsOptional() @IsAnything(sessionFields.type.schema) session_type?: unknown;
  @IsOptional() @IsAnything(sessionFields.ttl.schema) session_ttl?: unknown;
  @IsOptional() @IsAnything(sessionFields.ttl_unit.schema) session_ttl_unit?: unknown;
}

type QueryRefusal = Refusal<'invalid_query_params'>;

/** The code that a query names. Refuses `invalid_query_params`. */
export const codeOf = ({ code }: BrowserRedemptionQuery): { code: string } | QueryRefusal =>
  code ? { code } : refuse('invalid_query_params', "Query should have required property 'code'");

/** What is there of some fields; undefined where nothing is. */
const present = <Fields extends object>(fields: Fields): Partial<Fields> | undefined => {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Partial<Fields>);
};

/** Reads a query as the call for one voucher. Refuses `invalid_query_params`. */
export const readBrowserValidation = (sent: BrowserValidationQuery): SingleCall | QueryRefusal => {
  const named = codeOf(sent);
  if (isRefused(named)) return named;
  const read = parsePayload(query, sent);
  if (isRefused(read)) return refuse('invalid_query_params', read.details);
  const { amount, item, order: noted, session_key, session_type, session_ttl, session_ttl_unit } = read;
  const { customer, metadata, tracking_id } = read;
  const order = present({ amount, items: item, metadata: noted?.metadata });
  const session = present({
    ...{ key: session_key, type: session_type },
    ...{ ttl: session_ttl, ttl_unit: session_ttl_unit },
  }) as SingleCall['sent']['session'];
  if (session && isTooLong(session))
    return refuse('invalid_query_params', 'Property .session_ttl must not be longer than 365 days');
  const call = present({ customer, metadata, tracking_id, order, session }) ?? {};
  return voucherCallOf(call as SingleCall['sent'], named.code);
};
