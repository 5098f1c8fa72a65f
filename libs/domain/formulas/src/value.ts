import { type FormulaContext } from './context';
import { Day, type Moment, compareMoments, readMoment } from './moment';
import { FormulaNumber, finite, settled } from './numbers';

/** What a part of a formula results in; a failure and a missing value are both null. Lists come from metadata only. */
export type Value = FormulaNumber | string | boolean | Moment | readonly unknown[];

/** A compiled part of a formula. */
export type Evaluate = (context: FormulaContext) => Value | null;

/** What is known of a value before there is data; `any`: nothing. */
export type ValueType = 'number' | 'text' | 'condition' | 'date' | 'any';

export const numberOf = (value: Value | null): FormulaNumber | null =>
  value instanceof FormulaNumber ? value : null;

export const momentOf = (value: Value | null): Moment | null => {
  if (typeof value === 'string') return readMoment(value);
  return value instanceof Date || value instanceof Day ? value : null;
};

/** A stored attribute as a value: texts stay texts, also when they look like numbers; objects are none. */
export const storedValue = (stored: unknown): Value | null => {
  if (typeof stored === 'number') return finite(new FormulaNumber(stored));
  if (typeof stored === 'string' || typeof stored === 'boolean' || Array.isArray(stored)) return stored;
  return null;
};

/** A value as a list or a text would spell it; null for what has no one spelling. */
const spelling = (value: Value): string | null => {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return value instanceof FormulaNumber ? settled(value).toFixed() : null;
};

const isMoment = (value: Value): value is Moment => value instanceof Date || value instanceof Day;

/** Whether two values are equal. Values of different kinds are not, except that a text can spell a date or a
 *  condition. */
export const sameValue = (one: Value, other: Value, timezone: string): boolean => {
  if (one instanceof FormulaNumber)
    return other instanceof FormulaNumber && settled(one).equals(settled(other));
  if (isMoment(one) || isMoment(other)) {
    const moment = momentOf(one);
    const otherMoment = momentOf(other);
    return moment !== null && otherMoment !== null && compareMoments(moment, otherMoment, timezone) === 0;
  }
  if (other instanceof FormulaNumber) return false;
  const text = spelling(one);
  return text !== null && text === spelling(other);
};

/** Whether a list from metadata, or a text with commas between its entries, has `value` in it. */
export const listHas = (list: Value, value: Value, timezone: string): boolean | null => {
  if (Array.isArray(list)) {
    return list.some((entry) => {
      const stored = storedValue(entry);
      return stored !== null && sameValue(stored, value, timezone);
    });
  }
  const text = spelling(value);
  if (typeof list !== 'string' || text === null) return null;
  return list.split(',').some((entry) => entry.trim() === text);
};
