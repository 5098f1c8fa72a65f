/** A product as the project's catalogue has it. `price`: minor units per unit, null or absent where it has none; `collections`: ids of the collections
 *  that hold it. Source: reference 01 §3, §6. */
export interface CatalogueProduct {
  readonly id: string;
  readonly source_id?: string;
  readonly name?: string;
  readonly price?: number | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly collections?: readonly string[];
}

/** A SKU as the catalogue has it; `collections` are those that hold the SKU itself besides its product's. */
export interface CatalogueSku {
  readonly id: string;
  readonly source_id?: string;
  readonly sku?: string;
  readonly price?: number | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly collections?: readonly string[];
  readonly product: CatalogueProduct;
}

/** Whatever a request's lines, definitions and free units name, loaded before. Unknown references are allowed. */
export interface CatalogueRecords {
  readonly products?: readonly CatalogueProduct[];
  readonly skus?: readonly CatalogueSku[];
}

/** What one reference names: a product, or a SKU with its product. */
export interface CatalogueEntry {
  readonly product: CatalogueProduct;
  readonly sku: CatalogueSku | null;
}

/** Every project has it, without a price: a free unit of it is free shipping. Source: reference 01 §5. */
export const shippingProduct: CatalogueProduct = {
  id: 'prod_5h1pp1ng',
  source_id: 'prod_5h1pp1ng',
  name: 'Shipping',
};

/** Records found by id and by source id. Source: reference 01 §3. */
export class Catalogue {
  private readonly products = new Map<string, CatalogueEntry>();
  private readonly productsBySource = new Map<string, CatalogueEntry>();
  private readonly skus = new Map<string, CatalogueEntry>();
  private readonly skusBySource = new Map<string, CatalogueEntry>();

  constructor({ products = [], skus = [] }: CatalogueRecords = {}) {
    for (const product of [shippingProduct, ...skus.map((sku) => sku.product), ...products]) {
      const entry = { product, sku: null };
      this.products.set(product.id, entry);
      if (product.source_id !== undefined) this.productsBySource.set(product.source_id, entry);
    }
    for (const sku of skus) {
      const entry = { product: this.products.get(sku.product.id)!.product, sku };
      this.skus.set(sku.id, entry);
      if (sku.source_id !== undefined) this.skusBySource.set(sku.source_id, entry);
    }
  }

  product(id: string | undefined): CatalogueEntry | undefined {
    return id === undefined ? undefined : this.products.get(id);
  }

  sku(id: string | undefined): CatalogueEntry | undefined {
    return id === undefined ? undefined : this.skus.get(id);
  }

  productBySource(sourceId: string | undefined): CatalogueEntry | undefined {
    return sourceId === undefined ? undefined : this.productsBySource.get(sourceId);
  }

  skuBySource(sourceId: string | undefined): CatalogueEntry | undefined {
    return sourceId === undefined ? undefined : this.skusBySource.get(sourceId);
  }
}

/** The catalogue of a request that names nothing stored. */
export const emptyCatalogue = new Catalogue();
