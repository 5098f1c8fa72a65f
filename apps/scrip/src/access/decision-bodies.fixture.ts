type Json = Record<string, unknown>;

/** A code without a limit. */
export const openCode = 'ACCESS-OPEN';

/** What each project of the fixture has for these bodies: the code, one for rules, and a gift card. */
export const redeemables: Readonly<Record<string, Json>> = {
  [openCode]: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
  'ACCESS-RULED': { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
  'ACCESS-CARD': { type: 'GIFT_VOUCHER', gift: { amount: 1_000_000_000 } },
};

const customer = { source_id: 'ada', metadata: { a: 1 } };
const order = {
  source_id: null,
  items: [{ product_id: 'p_1', quantity: 2, price: 1_000, metadata: { a: 1 } }],
  metadata: { a: 1 },
};
const cart = {
  redeemables: [
    { object: 'voucher', id: openCode },
    { object: 'voucher', id: 'ACCESS-CARD', gift: { credits: 10 } },
  ],
  order,
  customer,
  options: { expand: ['order', 'redeemable', 'category'] },
  metadata: { a: 1 },
  tracking_id: 'ada',
};
const validation = { ...cart, session: { type: 'LOCK', key: 'cart', ttl: 1, ttl_unit: 'SECONDS' } };
const redemption = { ...cart, session: { type: 'LOCK', key: 'cart' } };
const single = { order, customer, metadata: { a: 1 }, tracking_id: 'ada', options: { expand: ['category'] } };
const qualification = {
  scenario: 'ALL',
  order,
  customer,
  session: { type: 'LOCK' },
  options: {
    limit: 5,
    sorting_rule: 'BEST_DEAL',
    expand: ['redeemable', 'category', 'validation_rules'],
    filters: {
      junction: 'or',
      code: { conditions: { $is: [openCode] } },
      resource_type: { conditions: { $in: ['voucher', 'promotion_tier'] } },
    },
  },
};
const rollback = { reason: 'returned', customer, order: { metadata: { a: 1 } }, metadata: { a: 1 } };
const rule = {
  rules: {
    1: { name: 'order.amount', conditions: { $more_than_or_equal: [1] } },
    2: {
      name: 'customer.metadata',
      property: 'a',
      conditions: { $is: [1] },
      rules: {
        1: { name: 'product.id', conditions: { $is: [{ object: 'product', id: 'p_1' }] } },
        logic: '1',
      },
    },
    3: { name: 'redemption.count.per_customer', conditions: { $less_than_or_equal: [1] } },
    logic: '1 or (2 and 3)',
  },
  error: { message: 'Not today' },
  applicable_to: { included: [{ object: 'product', id: 'p_1' }], excluded: [], included_all: false },
};

/** A good body of each route that decides: rules, qualifications, validations, redemptions, explanations, rollbacks. */
export const decisionBodies: Readonly<Record<string, Json>> = {
  'POST /v1/validation-rules': { name: 'Everybody', ...rule },
  'PUT /v1/validation-rules/{validationRuleId}': { name: 'Nobody', ...rule },
  'POST /v1/validation-rules/{validationRuleId}/assignments': {
    related_object_type: 'voucher',
    related_object_id: 'ACCESS-RULED',
  },
  'POST /v1/qualifications': qualification,
  'POST /client/v1/qualifications': qualification,
  'POST /v1/validations': validation,
  'POST /client/v1/validations': validation,
  'POST /v1/explanations': { ...validation, at: '2026-03-31T10:00:00Z' },
  'POST /v1/redemptions': redemption,
  'POST /client/v1/redemptions': redemption,
  'POST /v1/redemptions/{redemptionId}/rollback': rollback,
  'POST /v1/redemptions/{parentRedemptionId}/rollbacks': rollback,
  'POST /v1/vouchers/{code}/validate': { ...single, session: validation.session },
  'POST /v1/vouchers/{code}/redemption': { ...single, session: redemption.session },
  'POST /v1/promotions/validation': single,
  'POST /v1/promotions/tiers/{promotionTierId}/validation': single,
  'POST /v1/promotions/tiers/{promotionTierId}/redemption': single,
  'POST /v1/campaigns/qualification': { order, customer, metadata: { a: 1 } },
  'POST /v1/vouchers/qualification': { order, customer, metadata: { a: 1 } },
  'POST /client/v1/redeem': single,
};

/** Parts of a good query of each route that needs one. */
export const decisionQueries: Readonly<Record<string, readonly string[]>> = {
  'GET /client/v1/validate': [
    ...[`code=${openCode}`, 'amount=1000', 'item[0][product_id]=p_1', 'item[0][quantity]=2'],
    ...['customer[source_id]=ada', 'customer[metadata][a]=1', 'metadata[a]=1', 'order[metadata][a]=1'],
    ...['session_type=LOCK', 'session_key=cart', 'session_ttl=1', 'session_ttl_unit=SECONDS'],
  ],
  'POST /client/v1/redeem': [`code=${openCode}`, 'tracking_id=ada'],
};
