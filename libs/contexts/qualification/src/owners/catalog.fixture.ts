import type { CatalogItemOverride, CatalogName, CatalogPort, CatalogProduct } from '@scrip/contracts/catalog';

/** Products by source id or id, and how they were asked for. */
export class FakeCatalog implements Pick<CatalogPort, 'resolveItems' | 'overrideItems' | 'matchCollections'> {
  readonly products = new Map<string, CatalogProduct>();
  /** Ids of products by the collections that hold them. */
  readonly collections = new Map<string, ReadonlySet<string>>();
  readonly calls: string[] = [];

  add(product: Pick<CatalogProduct, 'source_id'> & Partial<CatalogProduct>): void {
    const id = product.id ?? `prod_${product.source_id}`;
    this.products.set(id, { id, name: null, price: null, metadata: {}, ...product });
  }

  resolveItems: CatalogPort['resolveItems'] = async (_, { items }) => {
    this.calls.push('resolveItems');
    return items.map(({ product }) => ({ product: this.named(product), sku: null }));
  };

  overrideItems: CatalogPort['overrideItems'] = async (_, { items }) => {
    this.calls.push('overrideItems');
    for (const { product } of items) this.override(product);
    return items.map(({ product }) => ({ product: this.named(product), sku: null }));
  };

  matchCollections: CatalogPort['matchCollections'] = async (_, { items, collection_ids }) => {
    this.calls.push(`matchCollections ${collection_ids.join()}`);
    return items.map(({ product }) => {
      const id = this.named(product)?.id ?? '';
      return { product: collection_ids.filter((one) => this.collections.get(one)?.has(id)), sku: [] };
    });
  };

  private override(product: CatalogItemOverride['product']): void {
    if (!product?.override || !product.source_id) return;
    this.add({ ...this.named(product), source_id: product.source_id, ...product.fields });
  }

  private named(name: CatalogName | null | undefined): CatalogProduct | null {
    const all = [...this.products.values()];
    return all.find(({ id, source_id }) => id === name?.id || source_id === name?.source_id) ?? null;
  }
}
