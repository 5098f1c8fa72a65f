import {
  type Schema,
  anyText,
  anything,
  byName,
  count,
  fields,
  integer,
  listOf,
  metadata,
  named,
  oneOf,
  orNull,
  text,
  texts,
} from './forms';
import { orderFields } from './order.schema';
import { redeemable } from './redeemable.schema';
import { rule, rules } from './rule.schema';

const stackingRules = fields({
  ...named(['id', 'object', 'created_at', 'updated_at'], anything),
  ...named(['redeemables_limit', 'applicable_redeemables_limit'], integer(1, 30)),
  applicable_redeemables_per_category_limit: orNull(integer(1, 30)),
  applicable_redeemables_category_limits: byName(integer(1, 10)),
  applicable_exclusive_redeemables_limit: integer(1, 5),
  applicable_exclusive_redeemables_per_category_limit: orNull(integer(1, 5)),
  ...named(
    [
      'exclusive_categories',
      'joint_categories',
      'initial_amount_mode_categories',
      'discounted_amount_mode_categories',
      'no_effect_skip_categories',
      'no_effect_redeem_anyway_categories',
    ],
    texts,
  ),
  redeemables_application_mode: oneOf('ALL', 'PARTIAL'),
  redeemables_sorting_rule: oneOf('REQUESTED_ORDER', 'CATEGORY_HIERARCHY'),
  grouped_redeemables_sorting_rule: oneOf('JOINT_ALWAYS_LAST', 'REDEEMABLES_SORTING_RULE'),
  discount_calculation_mode: oneOf('DISCOUNTED_AMOUNT', 'INITIAL_AMOUNT'),
  redeemables_products_application_mode: oneOf('STACK', 'ONCE'),
  redeemables_no_effect_rule: oneOf('REDEEM_ANYWAY', 'SKIP'),
  redeemables_rollback_order_mode: oneOf('WITH_ORDER', 'WITHOUT_ORDER'),
});

const catalogue = fields({
  products: listOf(
    fields({ object: anything, id: text, source_id: text, name: anyText, price: count, metadata }, 'id'),
  ),
  skus: listOf(
    fields(
      { object: anything, id: text, product_id: text, source_id: text, sku: anyText, price: count, metadata },
      'id',
      'product_id',
    ),
  ),
  collections: listOf(
    fields({ object: anything, id: text, name: anyText, products: texts, skus: texts }, 'id'),
  ),
});

/** JSON schema of a `RequestFile`. */
export const requestFileSchema: Schema = {
  $defs: { rule, rules },
  ...fields(
    {
      order: fields(orderFields(anything)),
      stored_order: fields(orderFields(count, 'quantity', 'initial_quantity'), 'items'),
      customer: fields({
        ...named(['object', 'name', 'description', 'email', 'phone', 'address'], anything),
        id: text,
        source_id: orNull(text),
        birthdate: text,
        birthday: text,
        metadata,
        segments: texts,
        loyalty_tiers: texts,
      }),
      metadata,
      api_key: text,
      user_login: text,
      now: text,
      timezone: text,
      catalogue,
      stacking_rules: stackingRules,
      error_messages: byName(anyText),
      redeemables: { ...listOf(redeemable), minItems: 1 },
    },
    'redeemables',
  ),
};
