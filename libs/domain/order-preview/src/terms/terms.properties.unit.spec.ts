import { Catalogue, type Discount } from '@scrip/order-calculation';
import fc from 'fast-check';
import { amountOff, candidate, cart, customer, requestOf, rule } from '../preview.fixture';
import { type QualifyingCandidate, qualify } from '../qualification/qualify';
import { type Scenario, scenarios } from '../qualification/scenario';
import { type TermSpace, candidateTerms } from './candidate-terms';
import { requestTerms } from './request-terms';

const spaceOf: Partial<Record<Scenario, TermSpace>> = {
  ALL: 'QUALIFY',
  AUDIENCE_ONLY: 'AUDIENCE',
  PRODUCTS: 'NAMED',
  PRODUCTS_DISCOUNT: 'DISCOUNTED',
  PRODUCTS_BY_CUSTOMER: 'NAMED',
  PRODUCTS_DISCOUNT_BY_CUSTOMER: 'DISCOUNTED',
};

const cup = { id: 'prod_a', source_id: 'a', collections: ['pc_1'] };
const catalogue = new Catalogue({
  products: [
    cup,
    { id: 'prod_b', source_id: 'b', collections: ['pc_2'], price: 500 },
    { id: 'prod_c', source_id: 'c', collections: [] },
  ],
  skus: [{ id: 'sku_a1', source_id: 'a1', product: cup, collections: ['pc_3'] }],
});

const item = fc.constantFrom(
  { object: 'product', id: 'prod_a' },
  { object: 'product', source_id: 'b' },
  { object: 'sku', id: 'sku_a1' },
  { object: 'sku', source_id: 'a1' },
  { object: 'products_collection', id: 'pc_1' },
  { object: 'products_collection', id: 'pc_2' },
  { object: 'products_collection', id: 'pc_a11pr0dUc75' },
);
const items = fc.array(item, { minLength: 1, maxLength: 2 });
const sub = fc.constantFrom(
  {},
  { rules: { 1: { name: 'order.items.aggregated_quantity', conditions: { $more_than: [1] } }, logic: '1' } },
);
const leaf = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('$is', '$in', '$is_not', '$count_more'),
      fc.subarray(['seg_1', 'seg_2'], { minLength: 1 }),
    )
    .map(([operator, ids]) => ({
      name: 'customer.segment',
      conditions: { [operator]: operator === '$count_more' ? [0] : ids },
    })),
  fc
    .tuple(
      fc.constantFrom('any', 'every', 'cheapest', 'most_expensive', 'none'),
      fc.constantFrom('$is', '$is_not'),
      items,
      sub,
    )
    .map(([which, operator, references, more]) => ({
      name: `order.items.${which}`,
      conditions: { [operator]: references },
      ...(which === 'none' ? {} : more),
    })),
  fc
    .tuple(
      fc.constantFrom('order.initial_amount', 'order.total_amount', 'order.amount'),
      fc.constantFrom('$more_than', '$more_than_or_equal', '$is', '$less_than', '$greater_than'),
      fc.constantFrom(0, 1, 500, 1000, 1023, 1024, 2000),
    )
    .map(([name, operator, amount]) => ({ name, conditions: { [operator]: [amount] } })),
  fc.constantFrom(
    { name: 'publication.redeemable_by_linked_customer', conditions: { $is: [true] } },
    { name: 'campaign.redemptions.count', conditions: { $less_than: [1] } },
    {
      name: 'product.metadata',
      property: 'colour',
      conditions: { $is_not: ['red'] },
      rules: { 1: { name: 'product.metadata.discount_applicable', conditions: { $is: [true] } }, logic: '1' },
    },
    {
      name: 'product.id',
      conditions: { $is: [{ id: 'prod_a' }] },
      rules: { 1: { name: 'product.discount_applicable', conditions: { $is: [true] } }, logic: '1' },
    },
  ),
);
const bundle = {
  1: {
    name: 'order.items.any',
    conditions: { $is: [{ id: 'prod_a', type: 'product_or_sku', object: 'product' }] },
    rules: { 1: { name: 'order.items.aggregated_quantity', conditions: { $is: [1] } }, logic: '1' },
  },
  logic: '1',
};
const rules = fc
  .tuple(
    fc.tuple(leaf, leaf, leaf),
    fc.constantFrom('1', '1 and 2', '1 or 2', '1 and (2 or 3)', '(1 or 2) and (1 or 3)', '1 and 2 and 3'),
    fc.option(
      fc.record({ included: items, excluded: fc.constantFrom([], [{ object: 'product', id: 'prod_b' }]) }),
    ),
    fc.boolean(),
  )
  .map(([[one, two, three], logic, scope, hasBundle]) =>
    rule(
      { 1: one, 2: two, 3: three, logic },
      { ...(scope ? { applicable_to: scope } : {}), ...(hasBundle ? { bundle_rules: bundle } : {}) },
    ),
  );

const unit = (more: object): { discount: Discount } => ({
  discount: { type: 'UNIT', unit_off: 1, ...more } as Discount,
});
const incentive = fc.constantFrom(
  amountOff(100),
  amountOff(100, { effect: 'APPLY_TO_ORDER' }),
  amountOff(100, { effect: 'APPLY_TO_ITEMS' }),
  { gift: { balance: 500 } },
  { gift: { balance: 500, effect: 'APPLY_TO_ITEMS' as const } },
  unit({ unit_type: 'prod_b', effect: 'ADD_MISSING_ITEMS' }),
  unit({ unit_type: 'a1', effect: 'ADD_NEW_ITEMS' }),
  { discount: { type: 'FIXED', fixed_amount: 300, effect: 'APPLY_TO_ITEMS' } as Discount },
);

const line = fc.constantFrom(
  { product_id: 'prod_a', price: 500 },
  { product_id: 'prod_b', price: 1000 },
  { product_id: 'prod_c', price: 2000 },
  { sku_id: 'sku_a1', price: 24 },
  { source_id: 'a', related_object: 'product' as const, price: 1000 },
  { source_id: 'a1', related_object: 'sku' as const, price: 1000 },
);
const order = fc.option(
  fc.array(line, { maxLength: 3 }).map((lines) => (lines.length === 0 ? cart([]) : cart(lines, catalogue))),
);

it('a request has a term of every candidate that qualifies for it, in every scenario (10)', () => {
  let qualifying = 0;
  fc.assert(
    fc.property(
      fc.array(rules, { maxLength: 2 }),
      incentive,
      order,
      fc.option(fc.subarray(['seg_1', 'seg_2'])),
      fc.constantFrom(...(Object.keys(spaceOf) as Scenario[])),
      (own, gives, cartOrNone, segments, scenario) => {
        const one: QualifyingCandidate = candidate('A', { rules: own, redeemable: { incentive: gives } });
        const who = segments && { ...customer, segments };
        const found = qualify(
          one,
          requestOf([], { order: cartOrNone, customer: who, catalogue }),
          scenarios[scenario],
        );
        fc.pre(found !== null);
        qualifying += 1;
        const space = spaceOf[scenario]!;
        const has = new Set(requestTerms({ segments: segments ?? [], order: cartOrNone }, space));
        expect(candidateTerms(one.redeemable, own)[space].some((term) => has.has(term))).toBe(true);
      },
    ),
    { numRuns: 400 },
  );
  expect(qualifying).toBeGreaterThan(300);
});
