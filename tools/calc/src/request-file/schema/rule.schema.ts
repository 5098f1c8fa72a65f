import {
  anyText,
  anything,
  byName,
  count,
  fields,
  flag,
  integer,
  listOf,
  named,
  oneOf,
  orNull,
  text,
} from './forms';

/** Limits that count discounted units over time. */
export const unitBudgetLimits = ['', 'customer_', 'in_collection_', 'in_collection_customer_'].flatMap(
  (scope) => ['campaign', 'promotion_tier'].map((owner) => `product_${scope}${owner}_quantity_limit`),
);

const scopedItem = fields(
  {
    object: oneOf('product', 'sku', 'products_collection'),
    id: text,
    source_id: text,
    ...named(['product_id', 'product_source_id'], anything),
    strict: flag,
    effect: oneOf(
      'APPLY_TO_EVERY',
      'APPLY_TO_CHEAPEST',
      'APPLY_FROM_CHEAPEST',
      'APPLY_TO_MOST_EXPENSIVE',
      'APPLY_FROM_MOST_EXPENSIVE',
    ),
    target: oneOf('ITEM', 'UNIT'),
    repeat: integer(1, Number.MAX_SAFE_INTEGER),
    ...named(['skip_initially', 'price', 'quantity_limit', 'aggregated_quantity_limit'], count),
    ...named(['amount_limit', 'aggregated_amount_limit', ...unitBudgetLimits], count),
    ...named(['price_formula', ...unitBudgetLimits.map((limit) => `${limit}_formula`)], text),
  },
  'object',
);

const ruleError = orNull(fields({ message: anyText }));
/** Rules by number, with their logic. */
export const rules = orNull({
  type: 'object',
  properties: { logic: orNull(anyText) },
  additionalProperties: { $ref: '#/$defs/rule' },
});
/** One rule. */
export const rule = fields(
  {
    name: text,
    property: orNull(anyText),
    conditions: orNull(byName({ type: 'array' })),
    rules: { $ref: '#/$defs/rules' },
    error: ruleError,
  },
  'name',
);
/** A validation rule object. */
export const validationRule = fields(
  {
    ...named(['object', 'created_at', 'updated_at', 'assignments_count', 'context_type'], anything),
    id: text,
    name: text,
    rules: { $ref: '#/$defs/rules' },
    error: ruleError,
    applicable_to: orNull(
      fields({ included: listOf(scopedItem), excluded: listOf(scopedItem), included_all: flag }),
    ),
    bundle_rules: orNull({
      type: 'object',
      properties: {
        logic: orNull(anyText),
        limit: orNull(integer(1, 100)),
        scaling: oneOf('MULTIPLY', 'ONCE'),
      },
      additionalProperties: { $ref: '#/$defs/rule' },
    }),
    type: oneOf('expression', 'basic', 'advanced', 'complex'),
  },
  'name',
);
