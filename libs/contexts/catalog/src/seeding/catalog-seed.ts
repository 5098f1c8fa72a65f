import { Injectable } from '@nestjs/common';
import type { ProductEvent } from '@scrip/contracts/catalog';
import type { Instant } from '@scrip/contracts/snapshot';
import { type AggregateStore, type EventStore, InjectEventStore, type NewStream } from '@scrip/event-store';
import { isRefused, type RequestContext } from '@scrip/kernel';
import type { CatalogRefusal } from '../catalog.refusals';
import { productAggregate } from '../product/product.aggregate';
import type { ProductFields } from '../product/product.commands';
import { decideProduct, evolveProduct, type ProductState } from '../product/product.decider';
import type { SkuFields } from '../sku/sku.commands';
import { decideSku } from '../sku/sku.decider';
import { rowChangeOf } from '../sku/sku.table';

/** A product that a call created at an instant with its SKUs, and that a later call changed. */
export interface SeededProduct {
  id: string;
  source_id: string | null;
  fields: ProductFields;
  createdAt: Instant;
  skus: readonly { id: string; source_id: string | null; fields: SkuFields; createdAt: Instant }[];
  change?: { fields: ProductFields; at: Instant };
}

const accepted = <Event>(decided: Event[] | CatalogRefusal): Event[] => {
  if (isRefused(decided)) throw new Error(decided.details ?? decided.refused);
  return decided;
};

/** Stores what many calls would have stored, each at an instant of its own, by few statements. Nothing is looked up: ids, source
 *  ids and names must be new. For measurements of large projects. Source: ADR 106. */
@Injectable()
export class CatalogSeed {
  private readonly products: AggregateStore<ProductState, ProductEvent>;

  constructor(@InjectEventStore('catalog') eventStore: EventStore) {
    this.products = eventStore.aggregate(productAggregate);
  }

  /** Throws what a call would have refused. */
  async storeProducts(context: RequestContext, seeded: readonly SeededProduct[]): Promise<void> {
    await this.products.createMany(
      null,
      context,
      seeded.map((product) => streamOf(context.project.id, product)),
    );
  }
}

const streamOf = (
  projectId: string,
  { id, source_id, fields, createdAt, skus, change }: SeededProduct,
): NewStream<ProductEvent> => {
  const upsert = { type: 'UpsertProduct', id, source_id, fields, override: false, now: createdAt } as const;
  const created = accepted(decideProduct(upsert, undefined));
  const product = created.reduce<ProductState | undefined>(evolveProduct, undefined)!;
  const skuEvents = skus.flatMap((sku) =>
    accepted(
      decideSku(
        {
          type: 'UpsertSku',
          product_id: id,
          id: sku.id,
          source_id: sku.source_id,
          fields: sku.fields,
          override: false,
          now: sku.createdAt,
        },
        { product, stored: undefined },
      ),
    ),
  );
  const changed = change
    ? accepted(decideProduct({ type: 'UpdateProduct', id, fields: change.fields, now: change.at }, product))
    : [];
  const rows = skuEvents.map((event) => rowChangeOf(projectId, event));
  return { streamId: id, events: [...created, ...skuEvents, ...changed], rows };
};
