import { compileFormula, isFormulaProblem } from '@scrip/formulas';
import { type ItemScope, unitBudgetLimits } from '@scrip/order-calculation';
import type { ConditionProblem } from '../conditions/conditions';
import { readItemReference } from '../lines/product-matching';
import { type Fields, fieldsOf, isIntegerFrom } from './fields';

type ScopedItem = ItemScope['included'][number];

/** What is wrong with a value, continuing "Property …"; null where nothing is. */
type FaultOf = (value: unknown) => string | null;

const accepting =
  (accepts: (value: unknown) => boolean, otherwise: string): FaultOf =>
  (value) =>
    accepts(value) ? null : otherwise;

const boolean = accepting((value) => typeof value === 'boolean', 'must be a boolean');
const oneOf = (...texts: readonly string[]): FaultOf =>
  accepting((value) => texts.some((text) => text === value), `must be one of ${texts.join(', ')}`);
const integerFrom = (min: number): FaultOf =>
  accepting((value) => isIntegerFrom(min, value), `must be an integer from ${min}`);
const formula: FaultOf = (value) => {
  if (typeof value !== 'string') return 'must be a string';
  const compiled = compileFormula(value);
  if (!isFormulaProblem(compiled)) return null;
  return `must be a formula: ${compiled.message} (at character ${compiled.offset + 1})`;
};

/** Every field of an entry besides what it names; others are stored and mean nothing. */
const entryFields: readonly (readonly [name: string, faultOf: FaultOf])[] = [
  ['strict', boolean],
  [
    'effect',
    oneOf(
      'APPLY_TO_EVERY',
      'APPLY_TO_CHEAPEST',
      'APPLY_FROM_CHEAPEST',
      'APPLY_TO_MOST_EXPENSIVE',
      'APPLY_FROM_MOST_EXPENSIVE',
    ),
  ],
  ['skip_initially', integerFrom(0)],
  ['repeat', integerFrom(1)],
  ['target', oneOf('ITEM', 'UNIT')],
  ['price', integerFrom(0)],
  ['price_formula', formula],
  ['quantity_limit', integerFrom(0)],
  ['aggregated_quantity_limit', integerFrom(0)],
  ['amount_limit', integerFrom(0)],
  ['aggregated_amount_limit', integerFrom(0)],
  ...unitBudgetLimits.map((name) => [name, integerFrom(0)] as const),
  ...unitBudgetLimits.map((name) => [`${name}_formula`, formula] as const),
];

const readEntry = (sent: unknown, path: string): ScopedItem | ConditionProblem => {
  const fields = fieldsOf(sent);
  const reference = readItemReference(sent);
  if (!fields || !reference) {
    return { problem: `Property ${path} must name a product, sku or products_collection` };
  }
  const entry: Record<string, unknown> = { ...reference };
  for (const [name, faultOf] of entryFields) {
    const value = fields[name];
    if (value == null) continue;
    const fault = faultOf(value);
    if (fault !== null) return { problem: `Property ${path}.${name} ${fault}` };
    entry[name] = value;
  }
  return entry as unknown as ScopedItem;
};

const readEntries = (fields: Fields, name: 'included' | 'excluded'): ScopedItem[] | ConditionProblem => {
  const sent = fields[name] ?? [];
  const path = `.applicable_to.${name}`;
  if (!Array.isArray(sent)) return { problem: `Property ${path} must be an array` };
  const entries: ScopedItem[] = [];
  for (const [index, element] of sent.entries()) {
    const entry = readEntry(element, `${path}[${index}]`);
    if ('problem' in entry) return entry;
    entries.push(entry);
  }
  return entries;
};

/** The scope that a rule object's `applicable_to` gives, or null where it gives none. Source: reference 02 §1.3. */
export const readScope = (sent: unknown): ItemScope | null | ConditionProblem => {
  if (sent == null) return null;
  const fields = fieldsOf(sent);
  if (!fields) return { problem: 'Property .applicable_to must be an object' };
  const included = readEntries(fields, 'included');
  if ('problem' in included) return included;
  const excluded = readEntries(fields, 'excluded');
  if ('problem' in excluded) return excluded;
  const includedAll = fields.included_all ?? false;
  if (typeof includedAll !== 'boolean') {
    return { problem: 'Property .applicable_to.included_all must be a boolean' };
  }
  if (included.length === 0 && excluded.length === 0 && !includedAll) return null;
  return { included, excluded, included_all: includedAll };
};
