import { shippingProduct } from '../catalogue/catalogue';
import type { Discount, UnitDiscount } from '../discount';
import type { Coverage, CoveredLine } from '../scoping/coverage';
import {
  type FormulaGround,
  type Settled,
  readAmount,
  readPercent,
  readUnits,
  settleFormula,
} from './formula-value';
import type { ResolvedDiscount } from './resolved-discount';

/** What a discount's formulas are settled on. */
export interface ResolveOptions extends FormulaGround {
  readonly effect: NonNullable<Discount['effect']>;
  readonly coverage: Coverage;
  /** How many bundles multiply the value; 1 without bundles. */
  readonly times: number;
}

const effectsByLine: ReadonlySet<string> = new Set([
  'APPLY_TO_ITEMS',
  'APPLY_TO_ITEMS_BY_QUANTITY',
  'REPLACE_ITEMS',
]);

const linesOf = ({ effect, coverage }: ResolveOptions): readonly CoveredLine[] | null =>
  effectsByLine.has(effect) ? coverage.lines : null;

/** Lines without a price of their definition: only those take the discount's. */
const withoutNewPrice = (lines: readonly CoveredLine[] | null): readonly CoveredLine[] | null =>
  lines && lines.filter(({ newPrice }) => newPrice === null);

const settledUnits = (
  {
    unit_off,
    unit_off_formula,
    unit_type,
  }: Pick<UnitDiscount, 'unit_off' | 'unit_off_formula' | 'unit_type'>,
  lines: readonly CoveredLine[] | null,
  options: ResolveOptions,
): Settled =>
  unit_type === shippingProduct.id
    ? null
    : settleFormula(unit_off_formula, readUnits, unit_off ?? 0, lines, options);

/** The value of the field that its formula may fill. */
const settled = (discount: Discount, options: ResolveOptions): Settled => {
  const lines = linesOf(options);
  switch (discount.type) {
    case 'AMOUNT':
      return settleFormula(discount.amount_off_formula, readAmount, discount.amount_off, lines, options);
    case 'PERCENT':
      return settleFormula(discount.percent_off_formula, readPercent, discount.percent_off, lines, options);
    case 'FIXED':
      return settleFormula(
        discount.fixed_amount_formula,
        readAmount,
        discount.fixed_amount,
        withoutNewPrice(lines),
        options,
      );
    case 'UNIT':
      return settledUnits(discount, lines, options);
  }
};

const plainField = {
  AMOUNT: 'amount_off',
  PERCENT: 'percent_off',
  FIXED: 'fixed_amount',
  UNIT: 'unit_off',
} as const;

interface SettledEntries {
  readonly units: NonNullable<UnitDiscount['units']>;
  readonly isDynamic: boolean;
}

const settledEntries = (
  entries: NonNullable<UnitDiscount['units']>,
  options: ResolveOptions,
): SettledEntries => {
  let isDynamic = false;
  const units = entries.map((entry) => {
    const result = settledUnits(entry, null, options);
    if (!result) return entry;
    isDynamic = true;
    return Object.assign({}, entry, { unit_off: result.value });
  });
  return { units, isDynamic };
};

/** Settles a discount's formulas on the running order; a formula that fails, or is no formula, leaves the plain field.
 *  Formulas of discounts of items are evaluated per covered line; free shipping has none. Source: reference 01 §8, §9. */
export const resolveDiscount = (discount: Discount, options: ResolveOptions): ResolvedDiscount => {
  const result = settled(discount, options);
  const entries = discount.type === 'UNIT' && discount.units ? settledEntries(discount.units, options) : null;
  const shown: Record<string, unknown> = Object.assign({}, discount as object, {
    effect: options.effect,
    is_dynamic: result !== null || entries?.isDynamic === true,
  });
  if (entries) shown.units = entries.units;
  let exactPercent: string | null = null;
  if (result?.value != null) {
    const plain = Number(result.value);
    shown[plainField[discount.type]] = plain;
    if (typeof result.value === 'string' && String(plain) !== result.value) exactPercent = result.value;
  }
  return {
    discount: shown as unknown as Discount,
    valueByLine: result?.byLine ?? null,
    exactPercent,
    times: options.times,
  };
};
