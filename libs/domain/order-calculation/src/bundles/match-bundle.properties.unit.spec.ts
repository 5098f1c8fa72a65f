import fc from 'fast-check';
import { cart } from '../calculation.fixture';
import { lineMatches } from '../catalogue/line-identity';
import type { OrderState } from '../order/order-state';
import type { BundleComponent } from './bundle-rules';
import { matchBundle } from './match-bundle';

const line = fc.record({
  sku: fc.constantFrom(undefined, 'S1', 'S2'),
  product: fc.constantFrom('P1', 'P2'),
  collections: fc.subarray(['C1', 'C2']),
  quantity: fc.integer({ min: 1, max: 6 }),
});

const orders = fc.array(line, { maxLength: 6 }).map((lines) =>
  cart(
    {
      items: lines.map(({ sku, product, quantity }) => ({
        product_id: product,
        quantity,
        ...(sku && { sku_id: `${product}${sku}` }),
      })),
    },
    { collections: lines.map(({ collections }) => collections) },
  ),
);

const component: fc.Arbitrary<BundleComponent> = fc
  .tuple(
    fc.constantFrom(
      ['sku', 'P1S1'] as const,
      ['sku', 'P2S2'] as const,
      ['product', 'P1'] as const,
      ['product', 'P2'] as const,
      ['products_collection', 'C1'] as const,
      ['products_collection', 'C2'] as const,
    ),
    fc.integer({ min: 1, max: 3 }),
  )
  .map(([[object, id], quantity]) => ({ object, id, quantity }));

const components = fc.array(component, { minLength: 1, maxLength: 4 });

const classes = ['sku', 'product', 'products_collection'];

/** What the words of the specification say, unit by unit: for `k` bundles, the units of each line that are taken, and
 *  whether every component is filled. */
const unitByUnit = (
  { lines }: OrderState,
  wanted: readonly BundleComponent[],
  k: number,
): { taken: number[]; filled: boolean } => {
  const units = lines.flatMap(({ quantity }, index) => Array.from({ length: quantity }, () => index));
  const used = new Set<number>();
  let filled = true;
  for (const object of classes) {
    for (const one of wanted.filter((entry) => entry.object === object)) {
      for (let count = 0; count < k * one.quantity; count += 1) {
        const unit = units.findIndex(
          (index, position) => !used.has(position) && lineMatches(lines[index]!.identity, one),
        );
        if (unit < 0) filled = false;
        else used.add(unit);
      }
    }
  }
  const taken = lines.map(() => 0);
  for (const position of used) taken[units[position]!]! += 1;
  return { taken, filled };
};

test('k bundles can be allocated and k + 1 cannot, by single units', () => {
  fc.assert(
    fc.property(orders, components, fc.integer({ min: 1, max: 8 }), (order, wanted, limit) => {
      const { quantity, identified, missing } = matchBundle(order, {
        components: wanted,
        limit,
        scaling: 'MULTIPLY',
      });
      const largest = [8, 7, 6, 5, 4, 3, 2, 1].find((k) => k <= limit && unitByUnit(order, wanted, k).filled);
      expect(quantity).toBe(largest ?? 0);
      const { taken } = unitByUnit(order, wanted, Math.max(1, quantity));
      const ours = order.lines.map(() => 0);
      for (const { item_index, item_quantity } of identified!) ours[item_index] = item_quantity;
      expect(ours).toEqual(taken);
      expect(missing === undefined).toBe(quantity > 0);
    }),
    { numRuns: 500 },
  );
});

test('no unit serves two components, and what is identified and missing is one bundle', () => {
  fc.assert(
    fc.property(orders, components, (order, wanted) => {
      const { quantity, identified, missing } = matchBundle(order, {
        components: wanted,
        limit: 3,
        scaling: 'MULTIPLY',
      });
      expect(
        identified!.filter(
          ({ item_index, item_quantity }) => item_quantity > order.lines[item_index]!.quantity,
        ),
      ).toEqual([]);
      expect(new Set(identified!.map(({ item_index }) => item_index)).size).toBe(identified!.length);
      const units = (entries: readonly { item_quantity: number }[] = []) =>
        entries.reduce((sum, { item_quantity }) => sum + item_quantity, 0);
      const needed = wanted.reduce((sum, one) => sum + one.quantity, 0);
      expect(units(identified) + units(missing)).toBe(needed * Math.max(1, quantity));
    }),
    { numRuns: 500 },
  );
});
