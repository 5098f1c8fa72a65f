import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { CatalogItem, CatalogItemNames, ItemCollections } from '@scrip/contracts/catalog';
import type { RequestContext } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import { ItemReads } from '../item/item.reads';
import { allProducts } from './all-products';
import { matchingCollections, type TestedRecord } from './collection-matching';
import { CollectionReads } from './collection.reads';
import { FilterContexts } from '@scrip/metadata';

const recordsOf = (items: readonly CatalogItem[]): TestedRecord[] => {
  const records = items.flatMap(({ product, sku }): TestedRecord[] => [
    ...(product ? [{ object: 'product' as const, id: product.id, owner_id: product.id }] : []),
    ...(sku ? [{ object: 'sku' as const, id: sku.id, owner_id: sku.product_id }] : []),
  ]);
  return [...new Map(records.map((record) => [`${record.object} ${record.id}`, record])).values()];
};

/** Finds the collections of what the items of an order name. */
@Injectable()
export class ItemCollectionsReads {
  constructor(
    @InjectDataSource('catalog') private readonly dataSource: DataSource,
    private readonly filterContexts: FilterContexts,
    private readonly items: ItemReads,
    private readonly collections: CollectionReads,
  ) {}

  /** See `CatalogPort.matchCollections`. */
  async match(
    context: RequestContext,
    { items, collection_ids }: { items: readonly CatalogItemNames[]; collection_ids: readonly string[] },
  ): Promise<ItemCollections[]> {
    const { project } = context;
    const [at, named, collections] = await Promise.all([
      this.filterContexts.now(context, 'product'),
      this.items.resolve(context, items),
      this.collections.named(project.id, collection_ids),
    ]);
    const tested = collections.filter(({ id }) => id !== allProducts.id);
    const matches = await matchingCollections(this.dataSource, {
      ...at,
      collections: tested,
      records: recordsOf(named),
    });
    const always = tested.length < collections.length ? [allProducts.id] : [];
    const byRecord = new Map<string, string[]>();
    for (const { object, id, collection_id } of matches)
      byRecord.set(`${object} ${id}`, [...(byRecord.get(`${object} ${id}`) ?? []), collection_id]);
    return named.map(({ product, sku }, index) => {
      const namesSku = sku !== null || Boolean(items[index]?.sku);
      return {
        product: [...always, ...((product && byRecord.get(`product ${product.id}`)) ?? [])],
        sku: namesSku ? [...always, ...((sku && byRecord.get(`sku ${sku.id}`)) ?? [])] : [],
      };
    });
  }
}
