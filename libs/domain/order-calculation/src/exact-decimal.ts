import type { Ratio } from '@scrip/kernel/pure';

const plain = /^(-?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;

/** The fraction that a number is written as in decimal: 12.5 is 125/10, and 0.1 no binary fraction. Decimal texts may
 *  have any number of digits. Throws `RangeError` for what is no finite decimal number. */
export const exactDecimal = (value: number | string): Ratio => {
  const match = plain.exec(String(value));
  if (!match) throw new RangeError(`not a decimal number: ${value}`);
  const [, sign, whole = '', decimals = '', exponent = '0'] = match;
  const digits = BigInt(`${whole}${decimals}` || '0') * (sign ? -1n : 1n);
  const shift = Number(exponent) - decimals.length;
  return shift >= 0
    ? { numerator: digits * 10n ** BigInt(shift), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(-shift) };
};
