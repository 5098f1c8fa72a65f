import type { LineState, OrderState } from '../order/order-state';
import { type Allocation, type Requirement, allocateUnits, requirementsOf } from './allocate-units';
import type { BundleNeed, BundleResult, BundleRules } from './bundle-rules';

type Identified = NonNullable<BundleResult['identified']>;
type Missing = NonNullable<BundleResult['missing']>;

// More units than this are not counted, so that no product of bundles and units loses precision.
const unitsMax = Number.MAX_SAFE_INTEGER;

/** Most bundles that every requirement could fill if it were the only one. */
const bundlesAtMost = (
  requirements: readonly Requirement[],
  lines: readonly LineState[],
  limit: number,
): number => {
  let most = requirements.length === 0 ? 0 : limit;
  for (const { component, lines: indices } of requirements) {
    let units = 0;
    for (const index of indices) units = Math.min(unitsMax, units + lines[index]!.quantity);
    most = Math.min(most, Math.floor(units / component.quantity));
  }
  return most;
};

const isFilled = ({ shortfalls }: Allocation): boolean => shortfalls.every((lack) => lack === 0);

/** The largest number of bundles, at most `most`, that can be allocated. What can be allocated for k bundles can be for
 *  fewer: each requirement in turn takes a shorter run of its lines and leaves no line with less, so that the next one
 *  finds no less either. Halving the range is therefore exact. */
const bundlesIn = (
  requirements: readonly Requirement[],
  lines: readonly LineState[],
  most: number,
): number => {
  let possible = 0;
  let impossible = most + 1;
  let candidate = most;
  while (impossible - possible > 1) {
    if (isFilled(allocateUnits(requirements, lines, candidate))) possible = candidate;
    else impossible = candidate;
    candidate = Math.floor((possible + impossible) / 2);
  }
  return possible;
};

const identifiedOf = (taken: readonly number[], lines: readonly LineState[]): Identified => {
  const identified: Identified = [];
  for (const [index, units] of taken.entries()) {
    if (units === 0) continue;
    const { identity, echo } = lines[index]!;
    const skuId = identity.skuId ?? identity.skuSourceId;
    const productId = identity.productId ?? identity.productSourceId ?? echo.source_id ?? '';
    identified.push({
      id: skuId ?? productId,
      object: skuId === undefined ? 'product' : 'sku',
      item_index: index,
      item_quantity: units,
    });
  }
  return identified;
};

const missingOf = (requirements: readonly Requirement[], shortfalls: readonly number[]): Missing => {
  const missing: Missing = [];
  for (const [position, { component }] of requirements.entries()) {
    const lack = shortfalls[position]!;
    if (lack === 0) continue;
    const id = component.id ?? component.source_id ?? '';
    missing.push({ id, object: component.object, item_quantity: lack });
  }
  return missing;
};

/** The bundle of one rule: how often it is there, and what its components may take. */
const bundlesOfNeed = ({ components, limit }: BundleNeed, lines: readonly LineState[]) => {
  const requirements = requirementsOf(components, lines);
  const quantity = bundlesIn(requirements, lines, bundlesAtMost(requirements, lines, limit));
  return { requirements, quantity };
};

/** What several rules lack of one item is what the one lacks that needs most of it. */
const largestLack = (missing: readonly Missing[]): Missing => {
  const [first = [], ...others] = missing;
  const merged = [...first];
  for (const entry of others.flat()) {
    const position = merged.findIndex(({ id, object }) => id === entry.id && object === entry.object);
    if (position < 0) merged.push(entry);
    else if (merged[position]!.item_quantity < entry.item_quantity) merged[position] = entry;
  }
  return merged;
};

/** How often the bundle is in the order: the largest number of bundles, at most `limit`, whose units can be allocated,
 *  SKUs first, then products, then collections, each in key order and from lines in request order, every unit once;
 *  units that earlier discounts added count. `identified`: the units of all these bundles, or what one bundle finds, one
 *  entry per line; `missing` (only without a bundle): what each component lacks, in the order in which they choose.
 *  Rules without components are never met. Bundles of several rules are matched one by one over the same units: the
 *  least frequent counts, and of each line the largest need. Source: reference 01 §9, reference 02 §1.4. */
export const matchBundle = (
  { lines }: Pick<OrderState, 'lines'>,
  { components, limit, further = [] }: BundleRules,
): BundleResult => {
  const needs = [{ components, limit }, ...further];
  const found = needs.map((need) => bundlesOfNeed(need, lines));
  const quantity = Math.min(...found.map((one) => one.quantity));
  const allocations = found.map(({ requirements }) =>
    allocateUnits(requirements, lines, Math.max(1, quantity)),
  );
  const taken = lines.map((_, index) => Math.max(...allocations.map((one) => one.taken[index]!)));
  const result: BundleResult = {
    quantity,
    limit: Math.min(...needs.map((need) => need.limit)),
    identified: identifiedOf(taken, lines),
  };
  if (quantity > 0) return result;
  const missing = found.map(({ requirements }, position) =>
    missingOf(requirements, allocations[position]!.shortfalls),
  );
  return { ...result, missing: largestLack(missing) };
};
