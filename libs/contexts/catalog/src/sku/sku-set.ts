import type { SkuSnapshot } from '@scrip/contracts/catalog';
import type { RowChange } from '@scrip/event-store';
import { isRefused, notFound } from '@scrip/kernel';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import { type CatalogRefusal, duplicate } from '../catalog.refusals';
import type { ProductState } from '../product/product.decider';
import { namesShipping, shippingProtected } from '../product/shipping';
import { UniqueNames } from '../unique-names';
import type { SkuFields } from './sku.commands';
import { decideSku, type SkuEvent, type StoredSku } from './sku.decider';
import { rowChangeOf } from './sku.table';

/** A SKU of a set. `new_id`: what it is called if it is created. */
export interface UpsertSkuItem {
  /** The id or source id of its product. */
  product: string;
  source_id: string;
  new_id: string;
  fields: SkuFields;
  /** What is changed instead where there is such a SKU. */
  fieldsIfStored: SkuFields;
}

/** What became of a SKU of a set. */
export interface UpsertedSku {
  sku: SkuSnapshot;
  /** Whether there was one of its source id. */
  found: boolean;
  /** Whether it was changed, or created. */
  updated: boolean;
}

/** What is stored under a source id of a set. `live`: the SKU and its product are. */
export interface StoredOfSet extends StoredSku {
  live: boolean;
}

/** What a set is decided on: SKUs by source id, and the names in its products. `check`: the project's schema of products. */
export interface SetState {
  stored: ReadonlyMap<string, StoredOfSet>;
  names: readonly Pick<SkuSnapshot, 'id' | 'product_id' | 'sku'>[];
  check?: CheckMetadata | undefined;
  now: string;
}

/** A SKU while its set is being decided. */
interface Draft extends StoredOfSet {
  isNew: boolean;
  isChanged: boolean;
}

/** A name is unique among the SKUs of its product. */
const nameIn = (productId: string, sku: string | null): string | null =>
  sku === null ? null : JSON.stringify([productId, sku]);

/** Decides SKUs one after another, each on what those before it leave. */
export class SkuSet {
  /** What was decided, by product. */
  readonly events = new Map<string, SkuEvent[]>();
  private readonly drafts: Map<string, Draft>;
  private readonly names: UniqueNames;

  constructor(private readonly state: SetState) {
    const drafts = [...state.stored].map(([source_id, stored]): [string, Draft] => [
      source_id,
      { ...stored, isNew: false, isChanged: false },
    ]);
    this.drafts = new Map(drafts);
    this.names = new UniqueNames(
      state.names.map(({ id, product_id, sku }) => ({ id, name: nameIn(product_id, sku) ?? '' })),
    );
  }

  /** Refuses what a single call refuses. Throws `NameMoves`. `product`: the one that the item names; undefined: there is none. */
  upsert(
    { product: named, source_id, new_id, fields: sent, fieldsIfStored }: UpsertSkuItem,
    product: { id: string; state: ProductState } | undefined,
  ): UpsertedSku | CatalogRefusal {
    if (namesShipping(named)) return shippingProtected();
    if (product?.state.status !== 'LIVE') return notFound('product', named);
    const draft = this.drafts.get(source_id);
    if (draft && !draft.live)
      return duplicate('sku', 'source_id', source_id, [draft.sku.id, draft.sku.product_id]);
    const { id } = draft?.sku ?? { id: new_id };
    const fields = draft ? fieldsIfStored : sent;
    const { check, now } = this.state;
    const command = { type: 'UpsertSku', product_id: product.id, id, source_id, fields, now } as const;
    const events = decideSku(
      { ...command, override: false, ...(check ? { check } : {}) },
      { product: product.state, stored: draft },
    );
    if (isRefused(events)) return events;
    const wanted = nameIn(product.id, fields.sku ?? null);
    if (wanted !== null && !this.names.areFree(wanted, id)) return duplicate('sku', 'sku', fields.sku!);
    const sku = events.at(-1)?.data.sku ?? draft?.sku;
    if (!sku) throw new Error('nothing was decided on a SKU that is not stored');
    this.names.move(id, nameIn(product.id, draft?.sku.sku ?? null), nameIn(product.id, sku.sku));
    this.drafts.set(source_id, {
      status: 'LIVE',
      live: true,
      sku,
      isNew: draft?.isNew ?? true,
      isChanged: draft?.isChanged || events.length > 0,
    });
    if (events.length > 0) this.events.set(product.id, [...(this.events.get(product.id) ?? []), ...events]);
    return { sku, found: draft !== undefined, updated: events.length > 0 };
  }

  /** The rows of all that changed, one for each SKU, in the order of source ids. */
  rows(projectId: string): RowChange[] {
    return [...this.drafts]
      .filter(([, { isChanged }]) => isChanged)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { sku, isNew }]) =>
        rowChangeOf(projectId, { type: isNew ? 'SkuCreated' : 'SkuUpdated', data: { sku } }),
      );
  }
}
