import { Decimal } from 'decimal.js';

/** A number; as Decimal only where no double has its value. */
export type Numeric = number | Decimal;

const plainForm = /^-?\d+(?:\.\d+)?$/;
const scientificForm = /^-?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?$/;

/** Decimals of so many digits survive the way through a double. */
const digitsOfDouble = 15;

/** A number or numeric text by its exact value, undefined for all else. Text is decimal, up to 40 digits on either
 *  side of the point, maybe with an exponent; without blanks, separators or a plus sign. */
export const numericOf = (value: unknown): Numeric | undefined => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string') return undefined;
  if (value.length <= digitsOfDouble && plainForm.test(value)) return Number(value);
  if (!scientificForm.test(value)) return undefined;
  const exact = new Decimal(value);
  const nearest = Number(value);
  return exact.eq(nearest) ? nearest : exact;
};

/** Negative, zero or positive as `left` is less than, equal to or more than `right`. */
export const compareNumeric = (left: Numeric, right: Numeric): number =>
  typeof left === 'number' && typeof right === 'number' ? left - right : new Decimal(left).cmp(right);

/** The same for equal numbers only; undefined for what is no number. */
export const numericKey = (value: unknown): number | string | undefined => {
  const numeric = numericOf(value);
  return typeof numeric === 'object' ? numeric.toString() : numeric;
};
