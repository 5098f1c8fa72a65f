import { Injectable } from '@nestjs/common';
import type { CatalogItem, CatalogItemOverride, CatalogOverride } from '@scrip/contracts/catalog';
import { newId, type RequestContext } from '@scrip/kernel';
import { ProductHandlers } from '../product/product.handlers';
import { SkuHandlers, type SkuUpsert } from '../sku/sku.handlers';
import { ItemReads } from './item.reads';

/** The source id under which an item wants its record stored. */
const storedUnder = (record: CatalogOverride<unknown> | null | undefined): string | null =>
  record?.override ? (record.source_id ?? null) : null;

/** The last of those that have the same source id. */
const lastOfEach = <Upsert extends { source_id: string }>(upserts: readonly Upsert[]): Upsert[] => [
  ...new Map(upserts.map((upsert) => [upsert.source_id, upsert])).values(),
];

/** Stores what the items of an order say of their records. Source: reference 07 §5. */
@Injectable()
export class ItemOverrides {
  constructor(
    private readonly items: ItemReads,
    private readonly products: ProductHandlers,
    private readonly skus: SkuHandlers,
  ) {}

  /** See `CatalogPort.overrideItems`. */
  async store(context: RequestContext, items: readonly CatalogItemOverride[]): Promise<CatalogItem[]> {
    await this.storeProducts(context, items);
    await this.storeSkus(context, items);
    return this.items.resolve(context, items);
  }

  private async storeProducts(context: RequestContext, items: readonly CatalogItemOverride[]): Promise<void> {
    const upserts = items.flatMap(({ product }) => {
      const source_id = storedUnder(product);
      if (!source_id) return [];
      const { name, price, metadata } = product?.fields ?? {};
      const fields = {
        ...(name !== undefined && { name }),
        ...(price !== undefined && { price }),
        ...(metadata !== undefined && { metadata }),
      };
      return [{ id: null, source_id, new_id: newId('prod_'), fields, override: true }];
    });
    // A record that cannot be stored is no error: the order uses what it says itself.
    if (upserts.length > 0) await this.products.upsertMany(context, lastOfEach(upserts));
  }

  private async storeSkus(context: RequestContext, items: readonly CatalogItemOverride[]): Promise<void> {
    const wanted = items.flatMap((item) => {
      const source_id = storedUnder(item.sku);
      return source_id ? [{ ...item, source_id }] : [];
    });
    if (wanted.length === 0) return;
    // The product of a SKU that is stored, else the one that the item names.
    const owners = await this.items.resolve(
      context,
      wanted.map(({ product, source_id }) => ({ product: product ?? null, sku: { source_id } })),
    );
    const upserts = wanted.flatMap(({ sku, source_id }, index): (SkuUpsert & { source_id: string })[] => {
      const product_id = owners[index]?.product?.id;
      if (!product_id) return [];
      const { sku: name, price, metadata } = sku?.fields ?? {};
      const fields = {
        ...(name !== undefined && { sku: name }),
        ...(price !== undefined && { price }),
        ...(metadata !== undefined && { metadata }),
      };
      return [{ product_id, id: null, source_id, new_id: newId('sku_'), fields, override: true }];
    });
    await this.skus.upsertMany(context, lastOfEach(upserts));
  }
}
