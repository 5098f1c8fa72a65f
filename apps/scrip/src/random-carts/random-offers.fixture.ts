import { type StackingSettings, defaultStackingSettings } from '@scrip/order-calculation';
import fc from 'fast-check';

/** Products of the catalogue by source id, with price and collections; `socks` is in no catalogue, `tea` in no cart. */
export const products = {
  mug: { price: 900, collections: ['kitchen', 'sale'] },
  cup: { price: 333, collections: ['kitchen'] },
  shirt: { price: null, collections: ['sale'] },
  tea: { price: 777, collections: [] },
} as const;
/** Stands for the id that the product gets. */
export const idOf = (source_id: string): string => `id of ${source_id}`;
export const collections = ['kitchen', 'sale'];
/** Categories by name, with their hierarchy. */
export const categories = { plain: 2, joint: 1, exclusive: 0 } as const;

/** What a voucher, gift card or tier is created with. Names of collections stand for their ids, and `idOf` for those of products. */
export interface Offer {
  readonly object: 'voucher' | 'promotion_tier';
  readonly incentive: { readonly discount: object } | { readonly gift: { readonly effect: string } };
  readonly category: keyof typeof categories | null;
  /** Bodies of its rules. */
  readonly rules: readonly object[];
}

/** One request. `named`: places of offers, and the credits that are asked of a gift card. */
export interface RandomCart {
  readonly named: readonly { readonly place: number; readonly credits: number | undefined }[];
  readonly order: {
    readonly amount?: number;
    readonly items?: readonly object[];
    readonly metadata?: Readonly<Record<string, unknown>>;
  } | null;
  readonly city: 'Berlin' | 'Wien' | null;
  readonly metadata: { readonly channel: string };
}

const money = fc.integer({ min: 0, max: 100_000 });
const little = fc.integer({ min: 0, max: 3_000 });
const quantity = fc.integer({ min: 1, max: 6 });
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const inCarts = ['mug', 'cup', 'shirt', 'socks'] as const;
const percentage = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100);
/** Without what is undefined, as JSON leaves it out. */
const sent = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const discount = fc
  .oneof(
    fc.record({
      type: fc.constant('AMOUNT'),
      amount_off: little,
      amount_off_formula: fc.constantFrom(
        undefined,
        ...['ORDER_AMOUNT * 0.1', 'CHEAPEST_ORDER_ITEM_PRICE / 3', 'ORDER_METADATA("friends") * 2'],
      ),
      aggregated_amount_limit: some(little),
      effect: fc.constantFrom(
        ...[undefined, 'APPLY_TO_ORDER', 'APPLY_TO_ITEMS', 'APPLY_TO_ITEMS_BY_QUANTITY'],
        ...['APPLY_TO_ITEMS_PROPORTIONALLY', 'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY'],
      ),
    }),
    fc.record({
      type: fc.constant('PERCENT'),
      percent_off: percentage,
      percent_off_formula: fc.constantFrom(
        undefined,
        'IF(ORDER_UNITS_QUANTITY > 5;20;CUSTOMER_METADATA("rate"))',
      ),
      amount_limit: some(little),
      aggregated_amount_limit: some(little),
      effect: fc.constantFrom(undefined, 'APPLY_TO_ORDER', 'APPLY_TO_ITEMS'),
    }),
    fc.record({
      type: fc.constant('FIXED'),
      fixed_amount: little,
      effect: fc.constantFrom(undefined, 'APPLY_TO_ORDER', 'APPLY_TO_ITEMS'),
    }),
    fc.record({
      type: fc.constant('UNIT'),
      unit_off: fc.integer({ min: 1, max: 3 }),
      unit_type: fc.constantFrom('mug', 'cup', 'shirt', 'tea', 'prod_5h1pp1ng'),
      effect: fc.constantFrom('ADD_NEW_ITEMS', 'ADD_MISSING_ITEMS', 'ADD_SAME_ITEMS', 'REPLACE_ITEMS'),
    }),
  )
  .map((value) => sent(value));

const product = fc.constantFrom(...inCarts).map((source_id) => ({ object: 'product', source_id }));
const named = fc.oneof(
  product,
  fc.constantFrom(...collections).map((id) => ({ object: 'products_collection', id })),
);

const definition = fc
  .record({
    reference: named,
    effect: fc.constantFrom(
      ...[undefined, 'APPLY_TO_CHEAPEST', 'APPLY_FROM_CHEAPEST'],
      ...['APPLY_TO_MOST_EXPENSIVE', 'APPLY_FROM_MOST_EXPENSIVE'],
    ),
    target: fc.constantFrom(undefined, 'ITEM', 'UNIT'),
    skip_initially: some(fc.integer({ min: 0, max: 2 })),
    repeat: some(fc.integer({ min: 1, max: 3 })),
    price: some(little),
    quantity_limit: some(quantity),
    aggregated_quantity_limit: some(quantity),
    amount_limit: some(little),
    aggregated_amount_limit: some(little),
  })
  .map(({ reference, ...rest }) => sent({ ...reference, ...rest }));

const scope = fc.record({
  included: fc.array(definition, { minLength: 1, maxLength: 2 }),
  excluded: fc.array(product, { maxLength: 1 }),
  included_all: fc.constant(false),
});

const conditions = fc
  .oneof(
    fc.record({
      name: fc.constantFrom('order.amount', 'order.initial_amount', 'order.total_amount'),
      operator: fc.constantFrom('$more_than', '$less_than_or_equal'),
      operand: money,
    }),
    fc.record({
      name: fc.constant('order.items.count'),
      operator: fc.constant('$more_than'),
      operand: quantity,
    }),
  )
  .map(({ name, operator, operand }) => ({ name, conditions: { [operator]: [operand] } }));

const condition = fc.oneof(
  { weight: 3, arbitrary: conditions as fc.Arbitrary<object> },
  fc.constantFrom('Berlin', 'Wien').map((city) => ({
    ...{ name: 'customer.metadata', property: 'city', conditions: { $is: [city] } },
  })),
  fc.constantFrom('web', 'till').map((channel) => ({
    ...{ name: 'redemption.metadata', property: 'channel', conditions: { $is_not: [channel] } },
  })),
  fc.constant({ name: 'order.metadata', property: 'friends', conditions: { $more_than: [2] } }),
  fc
    .record({ rule: fc.constantFrom('any', 'every', 'cheapest'), item: named, least: quantity })
    .map(({ rule, item, least }) => ({
      ...{ name: `order.items.${rule}`, conditions: rule === 'any' ? { $is: [item] } : { $in: [item] } },
      rules: {
        1: { name: 'order.items.aggregated_quantity', conditions: { $more_than_or_equal: [least] } },
        ...{ logic: '1' },
      },
    })),
);

const conditionRule = fc
  .record({
    list: fc.array(condition, { minLength: 1, maxLength: 3 }),
    logic: fc.constantFrom(' and ', ' or '),
  })
  .map(({ list, logic }) => ({
    ...Object.fromEntries(list.map((one, index) => [index + 1, one])),
    logic: list.map((_, index) => index + 1).join(logic),
  }));

const bundleRules = fc
  .record({
    components: fc.uniqueArray(fc.constantFrom('mug', 'cup', 'shirt'), { minLength: 1, maxLength: 2 }),
    least: fc.integer({ min: 1, max: 2 }),
    limit: fc.integer({ min: 1, max: 3 }),
    scaling: fc.constantFrom(undefined, 'ONCE'),
  })
  .map(({ components, least, limit, scaling }) =>
    sent({
      ...Object.fromEntries(
        components.map((source_id, index) => [
          index + 1,
          {
            name: 'order.items.any',
            conditions: { $is: [{ type: 'product_or_sku', object: 'product', id: idOf(source_id) }] },
            rules: {
              1: { name: 'order.items.aggregated_quantity', conditions: { $is: [least] } },
              logic: '1',
            },
          },
        ]),
      ),
      ...{ logic: components.map((_, index) => index + 1).join(' and '), limit, scaling },
    }),
  );

const rule = fc
  .record({
    rules: fc.option(conditionRule, { nil: undefined }),
    applicable_to: fc.option(scope, { nil: undefined }),
    bundle_rules: fc.option(bundleRules, { nil: undefined, freq: 6 }),
  })
  .map((body) => sent({ name: 'Random', ...body }));

const offer: fc.Arbitrary<Offer> = fc.record({
  object: fc.constantFrom('voucher', 'voucher', 'promotion_tier'),
  incentive: discount.map((one) => ({ discount: one })),
  category: fc.constantFrom(null, null, 'plain', 'joint', 'exclusive'),
  rules: fc.array(rule, { maxLength: 2 }),
});
const giftCard: fc.Arbitrary<Offer> = fc.record({
  object: fc.constant('voucher'),
  incentive: fc.constantFrom('APPLY_TO_ORDER', 'APPLY_TO_ITEMS').map((effect) => ({ gift: { effect } })),
  category: fc.constantFrom(null, 'joint'),
  rules: fc.array(rule, { maxLength: 1 }),
});

/** `count` offers, of which every tenth is a gift card. */
export const offers = (count: number): fc.Arbitrary<Offer[]> =>
  fc.tuple(...Array.from({ length: count }, (_, place) => (place % 10 === 9 ? giftCard : offer)));

const item = fc
  .record({
    source_id: fc.constantFrom(...inCarts),
    price: some(little),
    amount: some(little),
    quantity: some(quantity),
  })
  .map((one) => sent({ related_object: 'product', ...one }));

const order = fc
  .record({
    amount: fc.option(money, { nil: undefined, freq: 3 }),
    items: fc.option(fc.array(item, { minLength: 1, maxLength: 6 }), { nil: undefined, freq: 10 }),
    metadata: some(fc.record({ friends: fc.integer({ min: 0, max: 5 }) })),
  })
  .map((one) => sent(one));

/** Carts that name one to six of `count` offers. */
export const carts = (count: number): fc.Arbitrary<RandomCart> =>
  fc.record({
    named: fc.uniqueArray(
      fc.record({ place: fc.integer({ min: 0, max: count - 1 }), credits: some(little) }),
      { minLength: 1, maxLength: 6, selector: ({ place }) => place },
    ),
    order: fc.option(order, { freq: 20 }),
    city: fc.constantFrom('Berlin', 'Wien', null),
    metadata: fc.record({ channel: fc.constantFrom('web', 'till', 'app') }),
  });

/** Stacking rules; names of categories stand for their ids. */
export const stackingRules: fc.Arbitrary<StackingSettings> = fc
  .record({
    discount_calculation_mode: fc.constantFrom('DISCOUNTED_AMOUNT', 'INITIAL_AMOUNT'),
    redeemables_application_mode: fc.constantFrom('ALL', 'PARTIAL', 'PARTIAL'),
    redeemables_no_effect_rule: fc.constantFrom('REDEEM_ANYWAY', 'SKIP'),
    redeemables_sorting_rule: fc.constantFrom('REQUESTED_ORDER', 'CATEGORY_HIERARCHY'),
    redeemables_products_application_mode: fc.constantFrom('STACK', 'ONCE'),
    applicable_redeemables_limit: fc.integer({ min: 3, max: 6 }),
    applicable_redeemables_per_category_limit: fc.option(fc.integer({ min: 1, max: 3 })),
    exclusive_categories: fc.constantFrom([], ['exclusive']),
    joint_categories: fc.constantFrom([], ['joint']),
  })
  .map((chosen) => ({ ...defaultStackingSettings, ...chosen }) as StackingSettings);
