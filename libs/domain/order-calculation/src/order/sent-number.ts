import { type Refusal, refuse } from '@scrip/kernel/pure';
import type { OrderRefusalKey } from '../calculation-refusals';
import type { SentNumber } from './order';

const integerText = /^-?\d+$/;

/** The refusal of one property of the payload. Source: reference 07 §1.3. */
export const invalidProperty = (path: string, expectation: string): Refusal<OrderRefusalKey> =>
  refuse('invalid_payload', `Property ${path} ${expectation}`);

/** The integer that was meant, `undefined` when nothing was sent; numeric strings are read. Refuses what is no integer,
 *  what is below `min`, and what a number does not hold exactly. Source: reference 01 §2, §3. */
export const readInteger = (
  sent: SentNumber | null | undefined,
  path: string,
  min: number,
): number | undefined | Refusal<OrderRefusalKey> => {
  if (sent === undefined || sent === null) return undefined;
  const value = typeof sent === 'string' && integerText.test(sent) ? Number(sent) : sent;
  if (typeof value !== 'number' || !Number.isInteger(value)) return invalidProperty(path, 'must be integer');
  if (value < min) return invalidProperty(path, `cannot be lower than ${min}`);
  if (value > Number.MAX_SAFE_INTEGER) return invalidProperty(path, `must be <= ${Number.MAX_SAFE_INTEGER}`);
  return value;
};
