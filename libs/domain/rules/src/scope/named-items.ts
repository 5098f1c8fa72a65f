import type { CompiledLeaf } from '../compile/compile-group';
import type { CompiledRule } from '../compile/compile-rule';
import { leavesIn } from '../compile/rule-traits';
import { isProblem } from '../conditions/conditions';
import { type ItemReference, readProductConditions } from '../lines/product-matching';

/** Null: any line may be named. */
const namedBy = ({ entry, conditions }: CompiledLeaf): readonly ItemReference[] | null => {
  const { measure, name, lineRules } = entry;
  if (measure.of === 'lines') return lineRules ? null : [];
  if (measure.of !== 'products' || measure.quantifier === 'none') return [];
  const products = readProductConditions(conditions, measure.entriesName, name);
  if (isProblem(products)) return [];
  // A named line is in each of these: one of them finds it.
  const set = products.sets.find(({ isExcluding }) => !isExcluding) ?? products.from;
  return set ? set.references : [];
};

/** What a line must be for `namesLine` to hold; null: any line may do. Source: reference 02 §8, §10. */
export const namedItems = ({ root, bundle }: CompiledRule): readonly ItemReference[] | null => {
  const named: ItemReference[] = [...(bundle?.components ?? [])].map(({ quantity: _, ...item }) => item);
  for (const leaf of leavesIn(root)) {
    const items = namedBy(leaf);
    if (items === null) return null;
    named.push(...items);
  }
  return named;
};
