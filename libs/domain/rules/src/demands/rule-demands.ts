import type { ItemScope } from '@scrip/order-calculation';
import type { CompiledLeaf, CompiledGroup } from '../compile/compile-group';
import type { CompiledRule } from '../compile/compile-rule';
import type { MetadataSchemaName } from '../compile/metadata-types';
import { isProblem } from '../conditions/conditions';
import { type RuleMode, modeBits } from '../evaluation/rule-mode';
import { type ItemReference, readProductConditions } from '../lines/product-matching';

/** Which of a customer's ids conditions look at. `all`: some count or compare them, so that each one matters. */
export interface DemandedIds {
  readonly ids: readonly string[];
  readonly all: boolean;
}

/** What must be known before a rule object is evaluated: nothing else of the request changes its verdict but what the
 *  request itself says. Each name once. Source: reference 02 §3, §10. */
export interface RuleDemands {
  /** Whether it matters who redeems. */
  readonly customer: boolean;
  readonly segments: DemandedIds;
  readonly loyaltyTiers: DemandedIds;
  /** Whether it matters that the customer holds the voucher. */
  readonly holder: boolean;
  /** Products and SKUs that conditions, bundle and scope name. */
  readonly items: readonly ItemReference[];
  /** Ids of collections whose members must be known. */
  readonly collections: readonly string[];
  /** Properties by schema. */
  readonly metadata: Readonly<Partial<Record<MetadataSchemaName, readonly string[]>>>;
  /** Limits and budgets by rule name: what `counted` is asked for. */
  readonly counters: readonly string[];
}

/** Operators that ask for the ids they name, one by one. */
const namingOperators: ReadonlySet<string> = new Set(['$is', '$is_not', '$in', '$not_in', '$not_intersect']);

class IdCollector {
  private readonly named = new Set<string>();
  private all = false;

  add({ conditions }: CompiledLeaf): void {
    for (const [operator, operands] of Object.entries(conditions)) {
      if (!namingOperators.has(operator)) this.all = true;
      for (const id of operands as readonly unknown[]) if (typeof id === 'string') this.named.add(id);
    }
  }

  total(): DemandedIds {
    return { ids: [...this.named], all: this.all };
  }
}

const nameOf = ({ object, id, source_id }: ItemReference): string =>
  `${object} ${id ?? ''} ${source_id ?? ''}`;

class DemandCollector {
  private readonly segments = new IdCollector();
  private readonly tiers = new IdCollector();
  private readonly items = new Map<string, ItemReference>();
  private readonly collections = new Set<string>();
  private readonly properties = new Map<MetadataSchemaName, Set<string>>();
  private readonly counters = new Set<string>();
  private customer = false;
  private holder = false;

  /** `mode`: what it leaves out demands nothing, nor do the rules below it. */
  addGroup({ leaves }: CompiledGroup, mode: number): void {
    for (const leaf of leaves) {
      if ((leaf.modes & mode) === 0) continue;
      this.addLeaf(leaf);
      if (leaf.group) this.addGroup(leaf.group, mode);
    }
  }

  addScope({ included, excluded }: ItemScope): void {
    for (const item of [...included, ...excluded]) this.addItem(item);
  }

  addItem({ object, id, source_id }: ItemReference): void {
    if (object === 'products_collection') {
      if (id !== undefined) this.collections.add(id);
      return;
    }
    const item = { object, ...(id !== undefined && { id }), ...(source_id !== undefined && { source_id }) };
    this.items.set(nameOf(item), item);
  }

  total(): RuleDemands {
    const metadata = Object.fromEntries([...this.properties].map(([schema, names]) => [schema, [...names]]));
    return {
      customer: this.customer,
      segments: this.segments.total(),
      loyaltyTiers: this.tiers.total(),
      holder: this.holder,
      items: [...this.items.values()],
      collections: [...this.collections],
      metadata,
      counters: [...this.counters],
    };
  }

  private addLeaf(leaf: CompiledLeaf): void {
    const { entry, property, conditions } = leaf;
    const { name, measure } = entry;
    if (entry.group === 'customer' || entry.perCustomer) this.customer = true;
    if (name === 'customer.segment') this.segments.add(leaf);
    if (name === 'customer.loyalty_tier') this.tiers.add(leaf);
    if (entry.audience === 'holder') this.holder = true;
    if (entry.isCounted) this.counters.add(name);
    if ('metadata' in measure && property !== null) this.addProperty(measure.schema, property);
    if (measure.of !== 'products') return;
    const products = readProductConditions(conditions, measure.entriesName, name);
    if (isProblem(products)) return;
    for (const { references } of products.inOrderSent) references.forEach((item) => this.addItem(item));
  }

  private addProperty(schema: MetadataSchemaName, property: string): void {
    const names = this.properties.get(schema) ?? new Set<string>();
    this.properties.set(schema, names.add(property));
  }
}

/** Lists what must be loaded before these rules are evaluated in `mode`; bundles and scopes count in every mode, since
 *  answers show what they find. Source: reference 02 §4.1, §10. */
export const ruleDemands = (rules: readonly CompiledRule[], mode: RuleMode): RuleDemands => {
  const collector = new DemandCollector();
  for (const { root, bundle, scope } of rules) {
    collector.addGroup(root, modeBits[mode]);
    for (const component of bundle?.components ?? []) collector.addItem(component);
    if (scope) collector.addScope(scope);
  }
  return collector.total();
};
