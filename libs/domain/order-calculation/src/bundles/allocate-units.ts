import { lineMatches } from '../catalogue/line-identity';
import type { LineState } from '../order/order-state';
import type { BundleComponent } from './bundle-rules';

/** A component with the positions of the lines that its units may come from, in line order. */
export interface Requirement {
  readonly component: BundleComponent;
  readonly lines: readonly number[];
}

/** Units taken of each line, and per requirement the units that lack. */
export interface Allocation {
  readonly taken: readonly number[];
  readonly shortfalls: readonly number[];
}

const rank = { sku: 0, product: 1, products_collection: 2 } as const;

/** The components in the order in which they choose: SKUs, products, collections, each in key order.
 *  Source: reference 02 §1.4. */
export const requirementsOf = (
  components: readonly BundleComponent[],
  lines: readonly LineState[],
): Requirement[] =>
  [...components]
    .sort((one, other) => rank[one.object] - rank[other.object])
    .map((component) => ({
      component,
      lines: [...lines.keys()].filter((index) => lineMatches(lines[index]!.identity, component)),
    }));

/** Gives each requirement in turn the units of `bundles` bundles, from its lines in line order, each unit once.
 *  Source: reference 01 §9. */
export const allocateUnits = (
  requirements: readonly Requirement[],
  lines: readonly LineState[],
  bundles: number,
): Allocation => {
  const taken = lines.map(() => 0);
  const shortfalls = requirements.map(({ component, lines: indices }) => {
    let wanted = component.quantity * bundles;
    for (const index of indices) {
      const units = Math.min(wanted, lines[index]!.quantity - taken[index]!);
      taken[index]! += units;
      wanted -= units;
    }
    return wanted;
  });
  return { taken, shortfalls };
};
