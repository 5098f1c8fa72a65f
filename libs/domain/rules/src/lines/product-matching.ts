import { lineMatches } from '@scrip/order-calculation';
import type { Line } from '../catalogue/rule-entry';
import type { ConditionProblem, ConditionsDefinition } from '../conditions/conditions';

/** What an entry names; the form in which lines are compared. */
export type ItemReference = Parameters<typeof lineMatches>[1];

const itemKinds = ['product', 'sku', 'products_collection'] as const;

/** What an operand names, undefined where it names nothing. `entriesName`: what it means without `object`. */
export const readItemReference = (
  operand: unknown,
  entriesName?: ItemReference['object'],
): ItemReference | undefined => {
  if (typeof operand !== 'object' || operand === null) return undefined;
  const entry = operand as Readonly<Record<string, unknown>>;
  const object = itemKinds.find((kind) => kind === (entry.object ?? entriesName));
  const id = typeof entry.id === 'string' ? entry.id : undefined;
  const sourceId = typeof entry.source_id === 'string' ? entry.source_id : undefined;
  // Lines know their collections by id.
  if (!object || (id ?? (object === 'products_collection' ? undefined : sourceId)) === undefined)
    return undefined;
  return {
    object,
    ...(id !== undefined && { id }),
    ...(sourceId !== undefined && { source_id: sourceId }),
  };
};

/** Entries of one operator; a line must be among them, or must not. */
export interface ProductSet {
  readonly operator: string;
  readonly expected: readonly unknown[];
  readonly references: readonly ItemReference[];
  readonly isExcluding: boolean;
}

/** Which lines match. */
export interface ProductConditions {
  readonly sets: readonly ProductSet[];
  /** Collections that lines must be in; null: any line. */
  readonly from: ProductSet | null;
  /** All of these. */
  readonly inOrderSent: readonly ProductSet[];
}

const isAmong = (line: Line, references: readonly ItemReference[]): boolean => {
  for (const reference of references) if (lineMatches(line.identity, reference)) return true;
  return false;
};

/** Whether a line is (not) among the entries of one operator. */
export const isInSet = (line: Line, { references, isExcluding }: ProductSet): boolean =>
  isAmong(line, references) !== isExcluding;

/** Whether a line is in a `$from` collection, where there are any. */
export const isInPool = (line: Line, { from }: ProductConditions): boolean =>
  from === null || isInSet(line, from);

/** Whether a line is in every set. */
export const isInSets = (line: Line, { sets }: ProductConditions): boolean => {
  for (const set of sets) if (!isInSet(line, set)) return false;
  return true;
};

/** Reads checked conditions on products. `entriesName`: for rules about one kind of item, which have no `$from`. */
export const readProductConditions = (
  definition: ConditionsDefinition,
  entriesName: 'product' | 'sku' | undefined,
  rule: string,
): ProductConditions | ConditionProblem => {
  const sets: ProductSet[] = [];
  const inOrderSent: ProductSet[] = [];
  let from: ProductSet | null = null;
  for (const operator of Object.keys(definition)) {
    const expected = definition[operator] as readonly unknown[];
    const isFrom = operator === '$from';
    if (isFrom && entriesName) {
      return { problem: `Operator '${operator}' of rule '${rule}' cannot be used there` };
    }
    const references: ItemReference[] = [];
    for (const operand of expected) {
      const reference = readItemReference(operand, isFrom ? 'products_collection' : entriesName);
      if (!reference || (isFrom && reference.object !== 'products_collection')) {
        const item = isFrom ? 'collection' : 'product, sku or products_collection';
        return { problem: `Operator '${operator}' of rule '${rule}' takes only objects that name a ${item}` };
      }
      references.push(reference);
    }
    const set = {
      operator,
      expected,
      references,
      isExcluding: operator === '$is_not' || operator === '$not_in',
    };
    if (isFrom) from = set;
    else sets.push(set);
    inOrderSent.push(set);
  }
  return { sets, from, inOrderSent };
};
