import type { ResolvedDiscount } from './resolved-discount';

/** The value that holds for the line at `index`: the formula's for this line, else `plain`. */
export const lineValueOf = (
  { valueByLine }: Pick<ResolvedDiscount, 'valueByLine'>,
  index: number,
  plain: number,
): number | string => valueByLine?.get(index) ?? plain;

/** The same for amounts: minor units, rounded half up. Source: reference 01 §2. */
export const lineAmountOf = (
  resolved: Pick<ResolvedDiscount, 'valueByLine'>,
  index: number,
  plain: number,
): number => Math.round(Number(lineValueOf(resolved, index, plain)));
