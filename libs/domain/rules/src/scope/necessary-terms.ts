import type { lineMatches } from '@scrip/order-calculation';
import type { CompiledGroup, CompiledLeaf } from '../compile/compile-group';
import type { CompiledRule } from '../compile/compile-rule';
import { isProblem } from '../conditions/conditions';
import { type RuleMode, bundleModes, modeBits } from '../evaluation/rule-mode';
import { readProductConditions } from '../lines/product-matching';
import type { Logic } from '../logic/logic';

/** A segment that the customer is in, or an item that the order contains. Source: reference 02 §10. */
export type NecessaryTerm =
  Parameters<typeof lineMatches>[1] | { readonly object: 'segment'; readonly id: string };

/** Terms of which a request must have at least one; none: no request is enough. */
type Clause = readonly NecessaryTerm[];

/** Alternatives multiply clauses; beyond this some are left out, which only finds more candidates. */
const clausesMax = 16;

/** Terms of alternatives add up; a longer list would hardly leave a candidate out. */
const clauseTermsMax = 10_000;

const allProducts = 'pc_a11pr0dUc75';

const textsOf = (operands: unknown): readonly string[] => operands as readonly string[];

const segmentClauses = ({ conditions }: CompiledLeaf): Clause[] =>
  ['$is', '$in'].flatMap((operator) =>
    operator in conditions
      ? [textsOf(conditions[operator]).map((id) => ({ object: 'segment' as const, id }))]
      : [],
  );

const productClauses = ({ entry, conditions }: CompiledLeaf): Clause[] => {
  const { measure } = entry;
  if (measure.of !== 'products' || measure.quantifier === 'none') return [];
  const products = readProductConditions(conditions, measure.entriesName, entry.name);
  if (isProblem(products)) return [];
  return [
    ...products.sets.filter(({ isExcluding }) => !isExcluding),
    ...(products.from ? [products.from] : []),
  ]
    .map(({ references }) => references)
    .filter((references) => !references.some(({ id }) => id === allProducts));
};

const leafClauses = (leaf: CompiledLeaf, mode: number): Clause[] => {
  if ((leaf.modes & mode) === 0) return [];
  const own = leaf.entry.name === 'customer.segment' ? segmentClauses(leaf) : productClauses(leaf);
  return leaf.group ? [...own, ...groupClauses(leaf.group, mode)] : own;
};

/** (a ∧ b) ∨ (c ∧ d) needs one of a, c and one of a, d and so on. */
const eitherOf = (left: readonly Clause[], right: readonly Clause[]): Clause[] => {
  const clauses: Clause[] = [];
  for (const one of left) {
    for (const other of right) {
      if (clauses.length === clausesMax) return clauses;
      if (one.length + other.length <= clauseTermsMax) clauses.push([...one, ...other]);
    }
  }
  return clauses;
};

const groupClauses = ({ leaves, logic }: CompiledGroup, mode: number): Clause[] => {
  const clausesOf = (part: Logic): Clause[] => {
    if (typeof part === 'string')
      return leafClauses(
        leaves.find(({ key }) => key === part)!,
        mode,
      );
    const parts = part.parts.map(clausesOf);
    return part.join === 'and' ? parts.flat() : parts.reduce(eitherOf);
  };
  return logic === null ? [] : clausesOf(logic);
};

/** What a request must have for the rule to hold in `mode`: at least one term of each list. Never asks for more than
 *  the rule does; a request that has everything may still fail it. Source: reference 02 §10. */
export const necessaryTerms = (rule: CompiledRule, mode: RuleMode): readonly (readonly NecessaryTerm[])[] => {
  const bit = modeBits[mode];
  const bundle = (bit & bundleModes) === 0 ? [] : (rule.bundle?.components ?? []);
  const components = bundle.map(({ quantity: _, ...item }): Clause => [item]);
  return [...groupClauses(rule.root, bit), ...components];
};
