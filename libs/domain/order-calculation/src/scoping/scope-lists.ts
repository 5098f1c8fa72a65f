import { type Catalogue, type CatalogueEntry, emptyCatalogue } from '../catalogue/catalogue';
import { identityOf } from '../catalogue/identify';
import type { ItemReference } from '../catalogue/item-reference';
import type { LineIdentity } from '../catalogue/line-identity';
import type { LineState, OrderState } from '../order/order-state';
import type { Coverage, CoveredUnits, DefinitionMatch } from './coverage';
import { DefinitionIndex } from './definition-index';
import { type ItemScope, type ScopedItem, definitionsOf } from './item-scope';
import { unitLister } from './listed-units';
import type { ListedUnits, ScopeList, ScopeListEntry } from './scope-list';

const listOf = (data: ScopeListEntry[]): ScopeList => ({
  object: 'list',
  data_ref: 'data',
  data,
  total: data.length,
});

const emptyList: ScopeList = Object.freeze(listOf(Object.freeze<ScopeListEntry[]>([]) as ScopeListEntry[]));

type Names = Pick<ScopeListEntry, 'object' | 'id' | 'source_id' | 'product_id' | 'product_source_id'>;

/** The names of a definition, or of the item of a line (`known`) alone. What has no id is listed by its source id. */
const namesOf = ({ object, id, source_id }: ItemReference, known: LineIdentity | undefined): Names => {
  const isSku = object === 'sku';
  const sourceId = source_id ?? (isSku ? known?.skuSourceId : known?.productSourceId);
  const names: Names = {
    object,
    id: id ?? (isSku ? known?.skuId : known?.productId) ?? sourceId ?? '',
  };
  if (sourceId !== undefined) names.source_id = sourceId;
  if (!isSku) return names;
  if (known?.productId !== undefined) names.product_id = known.productId;
  if (known?.productSourceId !== undefined) names.product_source_id = known.productSourceId;
  return names;
};

const recordOfDefinition = (
  { object, id, source_id }: ItemReference,
  catalogue: Catalogue,
): CatalogueEntry | undefined =>
  object === 'sku'
    ? (catalogue.sku(id) ?? catalogue.skuBySource(source_id))
    : (catalogue.product(id) ?? catalogue.productBySource(source_id));

const definitionEntry = (
  definition: ScopedItem,
  firstMatched: LineState | undefined,
  catalogue: Catalogue,
): ScopeListEntry => {
  const isCollection = definition.object === 'products_collection';
  const record = isCollection ? undefined : recordOfDefinition(definition, catalogue);
  const known = isCollection ? undefined : record ? identityOf({}, record) : firstMatched?.identity;
  const names = namesOf(definition, known);
  return Object.assign(
    { effect: 'APPLY_TO_EVERY' as const, skip_initially: 0, repeat: 1, target: 'ITEM' as const },
    definition,
    names,
    { strict: !isCollection },
  );
};

/** The entry of an item that a collection matched: on the collection's terms, as far as they hold for a line by itself;
 *  totals and budgets belong to the collection. */
const itemEntry = (collection: ScopeListEntry, names: Names): ScopeListEntry => {
  const { effect, skip_initially, repeat, target, price, price_formula, quantity_limit, amount_limit } =
    collection;
  return Object.assign(
    names,
    { strict: true, effect, skip_initially, repeat, target },
    price !== undefined && { price },
    price_formula !== undefined && { price_formula },
    quantity_limit !== undefined && { quantity_limit },
    amount_limit !== undefined && { amount_limit },
  );
};

/** Entries of the distinct items among a collection's lines, by name, and which of them each line has. Lines that sell
 *  nothing with a name have none. */
const itemEntries = (
  collection: ScopeListEntry,
  matched: readonly number[],
  lines: readonly LineState[],
): { entries: Iterable<ScopeListEntry>; ofLine: ReadonlyMap<number, ScopeListEntry> } => {
  const byName = new Map<string, ScopeListEntry>();
  const ofLine = new Map<number, ScopeListEntry>();
  for (const index of matched) {
    const { identity } = lines[index]!;
    const isSku = (identity.skuId ?? identity.skuSourceId) !== undefined;
    const names = namesOf({ object: isSku ? 'sku' : 'product' }, identity);
    if (names.id === '') continue;
    const name = `${names.object}:${names.id}`;
    const entry = byName.get(name) ?? itemEntry(collection, names);
    byName.set(name, entry);
    ofLine.set(index, entry);
  }
  return { entries: byName.values(), ofLine };
};

const addUnits = (entry: ScopeListEntry, listed: ListedUnits): void => {
  (entry.order_item_indices ??= []).push(listed.index);
  (entry.order_item_units ??= []).push(listed);
};

const nothing: DefinitionMatch = { matched: [], covered: [] };

const entriesOf = (
  definitions: readonly ScopedItem[],
  matches: readonly DefinitionMatch[],
  lines: readonly LineState[],
  catalogue: Catalogue,
): ScopeList => {
  if (definitions.length === 0) return emptyList;
  const listUnits = unitLister(lines);
  const data: ScopeListEntry[] = [];
  for (const [position, definition] of definitions.entries()) {
    const { matched, covered } = matches[position] ?? nothing;
    const entry = definitionEntry(definition, lines[matched[0] ?? -1], catalogue);
    data.push(entry);
    const isCollection = definition.object === 'products_collection';
    const items = itemEntries(entry, isCollection ? matched : [], lines);
    data.push(...items.entries);
    for (const units of covered) {
      const listed = listUnits(units);
      addUnits(entry, listed);
      const item = items.ofLine.get(units.index);
      if (item) addUnits(item, listed);
    }
  }
  return listOf(data);
};

/** Whole lines, free units included, by the excluded definition that each belongs to. */
const excludedMatches = (
  excluded: readonly ItemReference[],
  lines: readonly LineState[],
): DefinitionMatch[] => {
  const index = new DefinitionIndex(excluded);
  const matches = excluded.map(() => ({ matched: [] as number[], covered: [] as CoveredUnits[] }));
  for (const [position, { identity, quantity }] of lines.entries()) {
    const definition = quantity > 0 ? index.mostSpecific(identity) : null;
    if (definition === null) continue;
    matches[definition]!.matched.push(position);
    matches[definition]!.covered.push({ index: position, first: 1, step: 1, count: quantity });
  }
  return matches;
};

/** What answers list of a redeemable's scope: `applicable_to`, its included definitions with what their application
 *  rules cover in `order` (before limits of units), and `inapplicable_to`, its excluded ones. After a collection
 *  follows every distinct product or SKU it matched. `scope`: as the rules set it; `coverage`: of this order and
 *  scope, empty where it was not looked up. The entries are parts of an answer: treat them as constant.
 *  Source: reference 01 §6, reference 02 §1.3. */
export const scopeLists = (
  order: OrderState | null,
  scope: ItemScope,
  { matches = [] }: Pick<Coverage, 'matches'>,
  catalogue: Catalogue = emptyCatalogue,
): { applicable_to: ScopeList; inapplicable_to: ScopeList } => {
  const lines = order?.lines ?? [];
  const { excluded } = scope;
  return {
    applicable_to: entriesOf(definitionsOf(scope), matches, lines, catalogue),
    inapplicable_to:
      excluded.length === 0
        ? emptyList
        : entriesOf(excluded, excludedMatches(excluded, lines), lines, catalogue),
  };
};
