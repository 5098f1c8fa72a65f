import fc from 'fast-check';
import { type Calculation, calculate } from '../calculate';
import type { CalculationContext } from '../calculation-context';
import { cart } from '../calculation.fixture';
import { Catalogue, type CatalogueRecords } from '../catalogue/catalogue';
import type { Discount } from '../discount';
import type { OrderInput } from '../order/order';
import type { Redeemable } from '../redeemable';
import type { ItemScope, ScopedItem } from '../scoping/item-scope';
import { type StackingSettings, defaultStackingSettings } from '../stacking/stacking-settings';

/** A whole request: what to calculate, all of it plain data. */
export interface CalculationRequest {
  sent: OrderInput;
  redeemables: Redeemable[];
  settings: StackingSettings;
}

const products = ['mug', 'cup', 'shirt', 'socks'];

/** Records of what random requests name; `socks` is unknown, `tea` has no line. */
export const records: CatalogueRecords = {
  products: [
    { id: 'mug', price: 900, collections: ['pc_kitchen', 'pc_sale'] },
    { id: 'cup', price: 333, collections: ['pc_kitchen'] },
    { id: 'shirt', collections: ['pc_sale'] },
    { id: 'tea', price: 777 },
  ],
};

export const context: CalculationContext = { catalogue: new Catalogue(records), hasCustomer: true };

const money = fc.integer({ min: 0, max: 1_000_000 });
const quantity = fc.integer({ min: 1, max: 20 });
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const defined = <T extends object>(value: T): T => {
  const kept = { ...value };
  for (const field in kept) if (kept[field] === undefined) delete kept[field];
  return kept;
};

const orderInput = fc.record(
  {
    amount: money,
    items: fc.array(
      fc.record(
        { product_id: fc.constantFrom(...products), price: money, quantity, amount: money },
        { requiredKeys: [] },
      ),
      { maxLength: 6 },
    ),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<OrderInput>;

const discount = fc
  .oneof(
    fc.record({
      type: fc.constant('AMOUNT'),
      amount_off: money,
      aggregated_amount_limit: some(money),
      effect: fc.constantFrom(
        undefined,
        'APPLY_TO_ORDER',
        'APPLY_TO_ITEMS',
        'APPLY_TO_ITEMS_BY_QUANTITY',
        'APPLY_TO_ITEMS_PROPORTIONALLY',
        'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY',
      ),
    }),
    fc.record({
      type: fc.constant('PERCENT'),
      percent_off: fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100),
      amount_limit: some(money),
      aggregated_amount_limit: some(money),
      effect: fc.constantFrom(undefined, 'APPLY_TO_ORDER', 'APPLY_TO_ITEMS'),
    }),
    fc.record({
      type: fc.constant('FIXED'),
      fixed_amount: money,
      effect: fc.constantFrom(undefined, 'APPLY_TO_ORDER', 'APPLY_TO_ITEMS'),
    }),
    fc.record({
      type: fc.constant('UNIT'),
      unit_off: fc.integer({ min: 0, max: 5 }),
      unit_type: fc.constantFrom(...products, 'tea', 'prod_5h1pp1ng', 'pc_kitchen'),
      effect: fc.constantFrom('ADD_NEW_ITEMS', 'ADD_MISSING_ITEMS', 'ADD_SAME_ITEMS', 'REPLACE_ITEMS'),
    }),
  )
  .map((value) => defined(value) as Discount);

const definition = fc
  .record({
    reference: fc.oneof(
      fc.constantFrom(...products).map((id) => ({ object: 'product' as const, id })),
      fc.constantFrom('pc_kitchen', 'pc_sale').map((id) => ({ object: 'products_collection' as const, id })),
    ),
    effect: fc.constantFrom(
      undefined,
      'APPLY_TO_CHEAPEST',
      'APPLY_FROM_CHEAPEST',
      'APPLY_TO_MOST_EXPENSIVE',
      'APPLY_FROM_MOST_EXPENSIVE',
    ),
    target: fc.constantFrom(undefined, 'ITEM', 'UNIT'),
    skip_initially: some(fc.integer({ min: 0, max: 3 })),
    repeat: some(fc.integer({ min: 1, max: 3 })),
    price: some(money),
    quantity_limit: some(quantity),
    aggregated_quantity_limit: some(quantity),
    amount_limit: some(money),
    aggregated_amount_limit: some(money),
    product_campaign_quantity_limit: some(quantity),
  })
  .map(({ reference, ...rest }) => defined({ ...reference, ...rest }) as ScopedItem);

const scope: fc.Arbitrary<ItemScope> = fc.record({
  included: fc.array(definition, { maxLength: 3 }),
  excluded: fc.array(
    fc.constantFrom(...products).map((id) => ({ object: 'product' as const, id })),
    { maxLength: 1 },
  ),
  included_all: fc.boolean(),
});

const incentive = fc.oneof(
  { weight: 6, arbitrary: discount.map((one) => ({ discount: one })) },
  {
    weight: 1,
    arbitrary: fc
      .record({
        balance: money,
        credits: some(money),
        effect: fc.constantFrom(undefined, 'APPLY_TO_ORDER', 'APPLY_TO_ITEMS'),
      })
      .map((gift) => ({ gift: defined(gift) })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({
        type: fc.constant('COIN'),
        exchange_ratio: fc.constantFrom(0.01, 0.3, 1, 20),
        points_ratio: fc.integer({ min: 1, max: 100 }),
        balance: fc.integer({ min: 0, max: 100_000 }),
        points: some(fc.integer({ min: 0, max: 100_000 })),
      })
      .map((reward) => ({ reward: defined(reward) })),
  },
) as fc.Arbitrary<Redeemable['incentive']>;

const category = fc
  .constantFrom('common', 'joint', 'exclusive')
  .map((id, hierarchy = 0) => ({ id, hierarchy }));

const redeemable = fc
  .record({
    incentive,
    scope: some(scope),
    bundle: fc.option(
      fc.record({
        components: fc.array(
          fc.record({
            object: fc.constant('product' as const),
            id: fc.constantFrom(...products),
            quantity: fc.integer({ min: 1, max: 3 }),
          }),
          { minLength: 1, maxLength: 2 },
        ),
        limit: fc.integer({ min: 1, max: 5 }),
        scaling: fc.constantFrom('MULTIPLY', 'ONCE'),
      }),
      { nil: undefined, freq: 6 },
    ),
    campaignId: fc.constantFrom(undefined, 'camp_1'),
    categories: fc.array(category, { maxLength: 2 }),
  })
  .map((fields) => defined(fields));

const redeemables = fc
  .array(redeemable, { minLength: 1, maxLength: 6 })
  .map((list) => list.map((one, index) => ({ object: 'voucher', id: `V${index}`, ...one }) as Redeemable));

const settings = fc
  .record({
    discount_calculation_mode: fc.constantFrom('DISCOUNTED_AMOUNT', 'INITIAL_AMOUNT'),
    redeemables_application_mode: fc.constantFrom('ALL', 'PARTIAL'),
    redeemables_no_effect_rule: fc.constantFrom('REDEEM_ANYWAY', 'SKIP'),
    redeemables_sorting_rule: fc.constantFrom('REQUESTED_ORDER', 'CATEGORY_HIERARCHY'),
    redeemables_products_application_mode: fc.constantFrom('STACK', 'ONCE'),
    applicable_redeemables_limit: fc.integer({ min: 1, max: 6 }),
    applicable_redeemables_per_category_limit: fc.option(fc.integer({ min: 1, max: 3 })),
    exclusive_categories: fc.constantFrom([], ['exclusive']),
    joint_categories: fc.constantFrom([], ['joint']),
  })
  .map((chosen) => ({ ...defaultStackingSettings, ...chosen }) as StackingSettings);

/** Random requests: carts that disagree with their amount, lines without price, every effect, scopes, limits, bundles,
 *  gift cards, points and settings. */
export const requests: fc.Arbitrary<CalculationRequest> = fc.record({
  sent: orderInput,
  redeemables,
  settings,
});

/** Calculates a request from its parts. */
export const run = ({ sent, redeemables: list, settings: chosen }: CalculationRequest): Calculation =>
  calculate(cart(sent, { records }), list, chosen, context);
