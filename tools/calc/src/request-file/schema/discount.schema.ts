import { type Schema, count, either, fields, flag, listOf, oneOf, text } from './forms';

const discountOf = (type: string, properties: Record<string, Schema>, ...required: string[]): Schema =>
  fields({ type: { const: type }, is_dynamic: flag, ...properties }, 'type', ...required);

/** A discount, told by its type. */
export const discount = either(
  'type',
  discountOf(
    'AMOUNT',
    {
      amount_off: count,
      amount_off_formula: text,
      aggregated_amount_limit: count,
      effect: oneOf(
        'APPLY_TO_ORDER',
        'APPLY_TO_ITEMS',
        'APPLY_TO_ITEMS_PROPORTIONALLY',
        'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY',
        'APPLY_TO_ITEMS_BY_QUANTITY',
      ),
    },
    'amount_off',
  ),
  discountOf(
    'PERCENT',
    {
      percent_off: { type: 'number', minimum: 0, maximum: 100 },
      percent_off_formula: text,
      amount_limit: count,
      aggregated_amount_limit: count,
      effect: oneOf('APPLY_TO_ORDER', 'APPLY_TO_ITEMS'),
    },
    'percent_off',
  ),
  discountOf(
    'FIXED',
    { fixed_amount: count, fixed_amount_formula: text, effect: oneOf('APPLY_TO_ORDER', 'APPLY_TO_ITEMS') },
    'fixed_amount',
  ),
  discountOf('UNIT', {
    unit_off: count,
    unit_off_formula: text,
    unit_type: text,
    effect: oneOf('ADD_MISSING_ITEMS', 'ADD_NEW_ITEMS', 'ADD_MANY_ITEMS', 'ADD_SAME_ITEMS', 'REPLACE_ITEMS'),
    units: listOf(
      fields(
        {
          unit_off: count,
          unit_off_formula: text,
          unit_type: text,
          effect: oneOf('ADD_NEW_ITEMS', 'ADD_MISSING_ITEMS'),
        },
        'unit_type',
        'effect',
      ),
    ),
  }),
);
