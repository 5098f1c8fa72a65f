import { leastCpuMs } from '@scrip/testing';
import fc from 'fast-check';
import { Catalogue } from '../catalogue/catalogue';
import { type OrderState, changedLine, paidUnitsOf } from '../order/order-state';
import { lineMatches } from '../catalogue/line-identity';
import { cover } from './cover';
import { type ItemScope, type ScopedItem, definitionsOf, unitBudgetLimits } from './item-scope';
import { scopeLists } from './scope-lists';
import { covered, orderOf, tier } from './scoping.fixture';

const collections = ['pc_a', 'pc_b'];
const catalogue = new Catalogue({
  products: [0, 1, 2].map((n) => ({ id: `prod_${n}`, collections: collections.slice(n) })),
  skus: [0, 1].map((n) => ({ id: `sku_${n}`, product: { id: 'prod_0' } })),
});

const line = fc.record(
  {
    product_id: fc.constantFrom('prod_0', 'prod_1', 'prod_2'),
    sku_id: fc.constantFrom('sku_0', 'sku_1'),
    price: fc.integer({ min: 0, max: 5 }),
    quantity: fc.integer({ min: 1, max: 12 }),
  },
  { requiredKeys: ['quantity'] },
);

const order: fc.Arbitrary<OrderState> = fc
  .array(fc.tuple(line, fc.nat({ max: 3 })), { maxLength: 8 })
  .map((lines) => {
    const state = orderOf(
      lines.map(([item]) => item),
      catalogue,
    );
    return {
      ...state,
      lines: state.lines.map((one, index) => changedLine(one, { freeQuantity: lines[index]![1] })),
    };
  });

const limit = fc.integer({ min: 0, max: 15 });

const reference = fc.oneof(
  fc.record({ object: fc.constant('product' as const), id: fc.constantFrom('prod_0', 'prod_1', 'prod_2') }),
  fc.record({ object: fc.constant('sku' as const), id: fc.constantFrom('sku_0', 'sku_1') }),
  fc.record({
    object: fc.constant('products_collection' as const),
    id: fc.constantFrom('pc_a', 'pc_b', 'pc_a11pr0dUc75'),
  }),
);

const terms = fc.record(
  {
    effect: fc.constantFrom(
      'APPLY_TO_EVERY' as const,
      'APPLY_TO_CHEAPEST' as const,
      'APPLY_FROM_CHEAPEST' as const,
      'APPLY_TO_MOST_EXPENSIVE' as const,
      'APPLY_FROM_MOST_EXPENSIVE' as const,
    ),
    skip_initially: fc.nat({ max: 4 }),
    repeat: fc.integer({ min: 1, max: 4 }),
    target: fc.constantFrom('ITEM' as const, 'UNIT' as const),
    quantity_limit: limit,
    aggregated_quantity_limit: limit,
    product_campaign_quantity_limit: limit,
    product_customer_campaign_quantity_limit: limit,
    product_in_collection_campaign_quantity_limit: limit,
    product_promotion_tier_quantity_limit: limit,
    product_in_collection_customer_promotion_tier_quantity_limit: limit,
  },
  { requiredKeys: [] },
);

const definition: fc.Arbitrary<ScopedItem> = fc
  .tuple(reference, terms)
  .map(([item, settings]) => ({ ...item, ...settings }));

const scope: fc.Arbitrary<ItemScope> = fc.record({
  included: fc.array(definition, { maxLength: 5 }),
  excluded: fc.array(reference, { maxLength: 2 }),
  included_all: fc.boolean(),
});

const options = { redeemable: tier, context: { hasCustomer: true } };

test('units are above 0 and never above paid units; each line is covered once; excluded and closed ones never', () => {
  fc.assert(
    fc.property(order, scope, fc.nat({ max: 7 }), (state, chosen, closed) => {
      const isClosed = (one: unknown): boolean => one === state.lines[closed];
      const { lines } = covered(state, chosen, { ...options, isClosed });
      expect(new Set(lines.map(({ index }) => index)).size).toBe(lines.length);
      for (const { index, units, definition: position } of lines) {
        const one = state.lines[index]!;
        expect(units).toBeGreaterThan(0);
        expect(units).toBeLessThanOrEqual(paidUnitsOf(one));
        expect(Number.isInteger(units)).toBe(true);
        expect(chosen.excluded.some((item) => lineMatches(one.identity, item))).toBe(false);
        expect(index).not.toBe(closed);
        if (position !== null) expect(lineMatches(one.identity, chosen.included[position]!)).toBe(true);
      }
    }),
  );
});

test('no limit of a definition is exceeded', () => {
  fc.assert(
    fc.property(order, scope, (state, chosen) => {
      const { lines } = covered(state, chosen, options);
      for (const [position, item] of chosen.included.entries()) {
        const own = lines.filter((one) => one.definition === position);
        const total = own.reduce((sum, { units }) => sum + units, 0);
        for (const { units } of own) expect(units).toBeLessThanOrEqual(item.quantity_limit ?? Infinity);
        expect(total).toBeLessThanOrEqual(item.aggregated_quantity_limit ?? Infinity);
        const perProduct = new Map<string | undefined, number>();
        for (const { index, units } of own) {
          const { productId } = state.lines[index]!.identity;
          perProduct.set(productId, (perProduct.get(productId) ?? 0) + units);
        }
        for (const budget of unitBudgetLimits) {
          const counts = budget.includes('_in_collection_')
            ? item.object === 'products_collection'
              ? [...perProduct.values()]
              : []
            : [total];
          for (const counted of counts) expect(counted).toBeLessThanOrEqual(item[budget] ?? Infinity);
        }
      }
    }),
  );
});

test('the order of definitions matters for ties only', () => {
  const distinct = fc
    .uniqueArray(definition, { selector: ({ object, id }) => `${object} ${id}`, maxLength: 6 })
    // Of the collections only one: they are what ties.
    .map((all) => {
      const collection = all.find(({ object }) => object === 'products_collection');
      return all.filter((one) => one.object !== 'products_collection' || one === collection);
    })
    .filter((all) => all.length > 0);
  const shuffled = distinct.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
  );
  fc.assert(
    fc.property(order, shuffled, (state, [one, other]) => {
      const found = (included: readonly ScopedItem[]): unknown[] =>
        covered(state, { included }, options)
          .lines.map(({ index, units, definition: position }) => ({
            index,
            units,
            item: included[position!],
          }))
          .sort((a, b) => a.index - b.index);
      expect(found(other)).toEqual(found(one));
    }),
  );
});

test('lists name each covered line once, in the sequence and with the number of units that the rule covers', () => {
  fc.assert(
    fc.property(order, scope, (state, chosen) => {
      const coverage = covered(state, chosen, options);
      const { applicable_to, inapplicable_to } = scopeLists(state, chosen, coverage, catalogue);
      for (const { data, total } of [applicable_to, inapplicable_to]) {
        expect(total).toBe(data.length);
        for (const { order_item_indices, order_item_units } of data) {
          expect(order_item_units?.map(({ index }) => index)).toEqual(order_item_indices);
          for (const { index, units } of order_item_units ?? []) {
            expect(units!.length).toBeGreaterThan(0);
            expect(units!.at(-1)).toBeLessThanOrEqual(state.lines[index]!.quantity);
          }
        }
      }
      const collectionsFirst = applicable_to.data.filter(({ object }) => object === 'products_collection');
      expect(collectionsFirst.map(({ id }) => id)).toEqual(
        definitionsOf(chosen)
          .filter(({ object }) => object === 'products_collection')
          .map(({ id }) => id),
      );
      const listed = new Set(applicable_to.data.flatMap((entry) => entry.order_item_indices ?? []));
      if (definitionsOf(chosen).length > 0) {
        for (const { index } of coverage.lines) expect(listed.has(index)).toBe(true);
      }
    }),
  );
});

describe('sizes', () => {
  const products = Array.from({ length: 500 }, (_, n) => ({
    id: `prod_${n}`,
    price: n,
    collections: Array.from({ length: 20 }, (__, c) => `pc_${(n + c) % 100}`),
  }));
  const large = orderOf(
    products.map(({ id }) => ({ product_id: id, quantity: 2 })),
    new Catalogue({ products }),
  );
  const definitions = (more: Partial<ScopedItem>): ScopedItem[] =>
    Array.from({ length: 100 }, (_, n) => ({ object: 'products_collection', id: `pc_${n}`, ...more }));

  const bestMs = (run: () => unknown): number => leastCpuMs(run, { runs: 30 });

  test('500 lines by 100 definitions take milliseconds, with every rule and limit', () => {
    const included = definitions({
      effect: 'APPLY_FROM_CHEAPEST',
      target: 'UNIT',
      repeat: 2,
      product_campaign_quantity_limit: 100,
      product_in_collection_customer_campaign_quantity_limit: 100,
    });
    const excluded = definitions({}).map(({ id, object }) => ({ id: `${id}_other`, object }));
    expect(bestMs(() => covered(large, { included, excluded }, options))).toBeLessThan(30);
  });

  test('lists of 500 lines by 100 definitions too', () => {
    const chosen: ItemScope = { included: definitions({}), excluded: definitions({}), included_all: false };
    const coverage = covered(large, { included: chosen.included });
    expect(bestMs(() => scopeLists(large, chosen, coverage))).toBeLessThan(30);
  });

  test('30 redeemables without a scope on 100 lines take little more than a millisecond in all', () => {
    const hundred = { ...large, lines: large.lines.slice(0, 100) };
    const turn = {
      scope: { included: [], excluded: [], included_all: false },
      bundleQuantity: undefined,
      context: {},
      isClosed: () => false,
      spent: new Map<string, number>(),
    };
    const ms = bestMs(() => {
      for (let redeemable = 0; redeemable < 30; redeemable += 1) cover(hundred, tier, turn);
    });
    expect(ms).toBeLessThan(5);
  });
});
