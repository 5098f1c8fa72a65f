import { Injectable } from '@nestjs/common';
import {
  type CatalogItem,
  type CatalogPort,
  catalogPort,
  catalogueOf,
  collectionsOfLines,
  type ItemCollections,
  namedItems,
  type RecordCollections,
} from '@scrip/contracts/catalog';
import { type CustomerSnapshot, type CustomersPort, customersPort } from '@scrip/contracts/customers';
import type { RequestContext } from '@scrip/kernel';
import { type Catalogue, type LineReferences, type OrderKnowledge, recordOf } from '@scrip/order-calculation';
import { type RequestDemands, requestDemands } from '@scrip/order-preview';
import { InjectPort } from '@scrip/rpc';

/** What rules and calculation know besides the request itself. `items`: the collections of each line, where any is asked for. */
export interface RuleInputs {
  segments: readonly string[];
  items: OrderKnowledge;
}

/** A request before its inputs are loaded. `lines`: those that count, sent or stored; `found`: the records that they name; null: they
 *  were not loaded, because the order of a stored one counts as it stands. */
export interface Demanding {
  candidates: Parameters<typeof requestDemands>[0];
  customer: CustomerSnapshot | null;
  lines: readonly LineReferences[];
  found: readonly CatalogItem[] | null;
  /** Answers which of the demanded segments hold the customer; absent: they are asked for. */
  segmentsOf?: (demanded: RequestDemands['segments']) => Promise<readonly string[]>;
}

/** The collections of a line: those of its product and of its SKU, each once. */
export const collectionsOfLine = ({ product, sku }: ItemCollections): string[] => [
  ...new Set([...product, ...sku]),
];

/** What each reference belongs to, by the ids of the records that it means. */
const collectionsOfRecords = (
  references: readonly LineReferences[],
  memberships: readonly ItemCollections[],
  catalogue: Catalogue,
): RecordCollections => {
  const collections = new Map<string, readonly string[]>();
  for (const [index, reference] of references.entries()) {
    const entry = recordOf(reference, catalogue);
    const { product, sku } = memberships[index]!;
    if (entry) collections.set(entry.product.id, product);
    if (entry?.sku) collections.set(entry.sku.id, sku);
  }
  return collections;
};

/** Loads what rules, scopes and free units of a request look at, and nothing else: each kind by one call, all beside each other.
 *  Source: reference 02 §4.1, §10. */
@Injectable()
export class RuleInputsLoader {
  constructor(
    @InjectPort(customersPort) private readonly customers: CustomersPort,
    @InjectPort(catalogPort) private readonly catalog: CatalogPort,
  ) {}

  async load(
    context: RequestContext,
    { candidates, customer, lines, found, segmentsOf }: Demanding,
  ): Promise<RuleInputs> {
    const demands = requestDemands(candidates, []);
    const [segments, items] = await Promise.all([
      segmentsOf ? segmentsOf(demands.segments) : this.segmentsOf(context, customer, demands.segments),
      this.named(context, { candidates, lines, found }, demands),
    ]);
    return { segments, items };
  }

  /** Which of the demanded segments hold a customer; null: none is there. */
  async segmentsOf(
    context: RequestContext,
    customer: CustomerSnapshot | null,
    { ids, all }: RequestDemands['segments'],
  ): Promise<readonly string[]> {
    if (!customer || (!all && ids.length === 0)) return [];
    const segment_ids = all ? null : ids;
    return (await this.customers.matchSegments(context, { customer, segment_ids })).segment_ids;
  }

  /** The records of lines and of what demands name besides, with their collections where any is asked for. */
  private async named(
    context: RequestContext,
    { candidates, lines, found }: Pick<Demanding, 'candidates' | 'lines' | 'found'>,
    { items: others, collections: collectionIds }: RequestDemands,
  ): Promise<OrderKnowledge> {
    const references = [...lines, ...others];
    // Without rules, stored lines are what they say themselves.
    const asksForLines = found === null && candidates.some(({ rules }) => rules.length > 0);
    const [more, memberships] = await Promise.all([
      namedItems(this.catalog, context, asksForLines ? references : others),
      collectionIds.length === 0
        ? null
        : collectionsOfLines(this.catalog, context, references, collectionIds),
    ]);
    const records = [...(found ?? []), ...more];
    const catalogue = catalogueOf(records);
    if (!memberships) return { catalogue };
    return {
      catalogue: catalogueOf(records, collectionsOfRecords(references, memberships, catalogue)),
      collections: memberships.slice(0, lines.length).map(collectionsOfLine),
    };
  }
}
