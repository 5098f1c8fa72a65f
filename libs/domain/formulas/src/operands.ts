import { type FormulaContext, type FormulaLine, type FormulaMetadata } from './context';
import { Day, readDay, readMoment, dayOf } from './moment';
import { FormulaNumber, finite, inMajorUnits } from './numbers';
import { cheapestLine, mostExpensiveLine, unitsOfOrder } from './order-facts';
import { type Value, type ValueType } from './value';

/** A name that stands for something in the context. */
export interface Operand {
  readonly type: ValueType;
  readonly readsLine: boolean;
  readonly read: (context: FormulaContext) => Value | null;
}

/** A name that takes the key of an attribute in brackets. */
export interface MetadataOperand {
  readonly readsLine: boolean;
  readonly metadata: (context: FormulaContext) => FormulaMetadata | null | undefined;
}

type FindLine = (context: FormulaContext) => FormulaLine | null;

const money = (amountMinor: number | undefined): Value | null =>
  amountMinor === undefined ? null : inMajorUnits(amountMinor);

/** A price that is no integer is the line's average, which no binary fraction is exactly. */
const unitPrice = ({ price, amount, quantity }: FormulaLine): Value | null =>
  price === undefined || amount === undefined || Number.isInteger(price)
    ? money(price)
    : finite(new FormulaNumber(amount).dividedBy(quantity).dividedBy(100));

const count = (units: number | null | undefined): Value | null =>
  units == null ? null : finite(new FormulaNumber(units));

const date = (text: string | null | undefined): Value | null => (text == null ? null : readMoment(text));

/** Where a day and an instant are both accepted on input, only the day is meant. */
const birthday = (text: string | null | undefined): Value | null =>
  text == null ? null : readDay(text.slice(0, 'YYYY-MM-DD'.length));

const number = (read: Operand['read']): Operand => ({ type: 'number', readsLine: false, read });
const moment = (read: Operand['read']): Operand => ({ type: 'date', readsLine: false, read });
const keyed = (metadata: MetadataOperand['metadata']): MetadataOperand => ({ readsLine: false, metadata });

const lines: readonly [prefix: string, readsLine: boolean, find: FindLine][] = [
  ['', true, (context) => context.line],
  ['CHEAPEST_', false, ({ order }) => (order === null ? null : cheapestLine(order))],
  ['MOST_EXPENSIVE_', false, ({ order }) => (order === null ? null : mostExpensiveLine(order))],
];

const lineFields: readonly [name: string, read: (line: FormulaLine) => Value | null][] = [
  ['ORDER_ITEM_PRICE', unitPrice],
  ['ORDER_ITEM_AMOUNT', (line) => money(line.amount)],
  ['ORDER_ITEM_SUBTOTAL', (line) => money(line.subtotal)],
  ['ORDER_ITEM_UNITS_QUANTITY', (line) => count(line.quantity)],
];

const lineAttributes: readonly [name: string, metadata: (line: FormulaLine) => FormulaMetadata][] = [
  ['ORDER_ITEM_METADATA', (line) => line.metadata],
  ['ORDER_ITEM_PRODUCT_METADATA', (line) => line.productMetadata],
];

const lineOperands = lines.flatMap(([prefix, readsLine, find]) =>
  lineFields.map(([name, readField]): [string, Operand] => {
    const read: Operand['read'] = (context) => {
      const line = find(context);
      return line === null ? null : readField(line);
    };
    return [`${prefix}${name}`, { type: 'number', readsLine, read }];
  }),
);

const lineMetadata = lines.flatMap(([prefix, readsLine, find]) =>
  lineAttributes.map(([name, attributesOf]): [string, MetadataOperand] => {
    const metadata: MetadataOperand['metadata'] = (context) => {
      const line = find(context);
      return line === null ? null : attributesOf(line);
    };
    return [`${prefix}${name}`, { readsLine, metadata }];
  }),
);

/** Other spellings of operands. */
const synonyms: ReadonlyMap<string, string> = new Map([['order.bundle.quantity', 'ORDER_BUNDLE_QUANTITY']]);

/** The name in the tables of what an author wrote. */
export const canonicalName = (name: string): string => synonyms.get(name) ?? name;

/** Every operand without a key. Source: reference 01 §8. */
export const operands: ReadonlyMap<string, Operand> = new Map([
  ['ORDER_AMOUNT', number(({ order }) => money(order?.amount))],
  ['ORDER_ITEMS_QUANTITY', number(({ order }) => count(order?.lines.length))],
  ['ORDER_UNITS_QUANTITY', number(({ order }) => (order === null ? null : count(unitsOfOrder(order))))],
  ['ORDER_BUNDLE_QUANTITY', number(({ order }) => count(order?.bundleQuantity))],
  ...lineOperands,
  ['VOUCHER_REDEMPTION_QUANTITY', number(({ voucher }) => count(voucher?.redemptionQuantity))],
  ['VOUCHER_REDEEMED_QUANTITY', number(({ voucher }) => count(voucher?.redeemedQuantity))],
  [
    'VOUCHER_PUBLISH_COUNT',
    number(({ voucher }) => (voucher === null ? null : count(Math.min(1, voucher.publishCount)))),
  ],
  ['VOUCHER_START_DATE', moment(({ voucher }) => date(voucher?.startDate))],
  ['VOUCHER_EXPIRATION_DATE', moment(({ voucher }) => date(voucher?.expirationDate))],
  ['PROMOTION_TIER_START_DATE', moment(({ promotionTier }) => date(promotionTier?.startDate))],
  ['PROMOTION_TIER_EXPIRATION_DATE', moment(({ promotionTier }) => date(promotionTier?.expirationDate))],
  ['CUSTOMER_BIRTHDATE', moment(({ customer }) => birthday(customer?.birthdate))],
  ['NOW', moment(({ now }) => now)],
  [
    'TODAY',
    moment(({ now, timezone }) => {
      const today = dayOf(now, timezone);
      return today === null ? null : new Day(today);
    }),
  ],
]);

/** Every operand with a key. Source: reference 01 §8. */
export const metadataOperands: ReadonlyMap<string, MetadataOperand> = new Map([
  ['ORDER_METADATA', keyed(({ order }) => order?.metadata)],
  ...lineMetadata,
  ['CUSTOMER_METADATA', keyed(({ customer }) => customer?.metadata)],
  ['REDEEMABLE_METADATA', keyed(({ redeemableMetadata }) => redeemableMetadata)],
  ['REDEMPTION_METADATA', keyed(({ redemptionMetadata }) => redemptionMetadata)],
  ['PUBLICATION_METADATA', keyed(({ publicationMetadata }) => publicationMetadata)],
]);
