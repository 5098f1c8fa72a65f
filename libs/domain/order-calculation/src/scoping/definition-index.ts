import type { ItemReference } from '../catalogue/item-reference';
import { type LineIdentity, allProductsCollection } from '../catalogue/line-identity';

/** Later than every position. */
const nowhere = Infinity;

/** Positions of definitions by the names they use; of several with one name, the first. */
class NamedDefinitions {
  private readonly byId = new Map<string, number>();
  private readonly bySourceId = new Map<string, number>();

  get isEmpty(): boolean {
    return this.byId.size === 0;
  }

  add({ id, source_id }: ItemReference, position: number): void {
    if (id !== undefined && !this.byId.has(id)) this.byId.set(id, position);
    if (source_id !== undefined && !this.bySourceId.has(source_id)) this.bySourceId.set(source_id, position);
  }

  firstOf(id: string | undefined, sourceId: string | undefined): number {
    if (this.byId.size + this.bySourceId.size === 0) return nowhere;
    return Math.min(
      (id === undefined ? undefined : this.byId.get(id)) ?? nowhere,
      (sourceId === undefined ? undefined : this.bySourceId.get(sourceId)) ?? nowhere,
    );
  }
}

/** Definitions found by what a line sells, with a look-up per name of the line instead of a comparison per definition.
 *  Matches what `lineMatches` matches. Source: reference 01 §6. */
export class DefinitionIndex {
  private readonly skus = new NamedDefinitions();
  private readonly products = new NamedDefinitions();
  private readonly strictProducts = new NamedDefinitions();
  private readonly collections = new NamedDefinitions();

  constructor(definitions: readonly (ItemReference & { readonly strict?: boolean })[]) {
    for (const [position, definition] of definitions.entries()) {
      this.namedLike(definition).add(definition, position);
    }
  }

  private namedLike({ object, strict }: ItemReference & { readonly strict?: boolean }): NamedDefinitions {
    if (object === 'sku') return this.skus;
    if (object === 'products_collection') return this.collections;
    return strict ? this.strictProducts : this.products;
  }

  /** Position of the definition a line belongs to: of its SKU, else of its product, else of a collection; ties go to
   *  the first in the list. Null: none matches. */
  mostSpecific(line: LineIdentity): number | null {
    const { productId, productSourceId, skuId, skuSourceId } = line;
    const ofSku = this.skus.firstOf(skuId, skuSourceId);
    if (ofSku !== nowhere) return ofSku;
    const hasSku = (skuId ?? skuSourceId) !== undefined;
    const ofProduct = Math.min(
      this.products.firstOf(productId, productSourceId),
      hasSku ? nowhere : this.strictProducts.firstOf(productId, productSourceId),
    );
    if (ofProduct !== nowhere) return ofProduct;
    if (this.collections.isEmpty) return null;
    let ofCollection = this.collections.firstOf(allProductsCollection, undefined);
    for (const collection of line.collections) {
      ofCollection = Math.min(ofCollection, this.collections.firstOf(collection, undefined));
    }
    return ofCollection === nowhere ? null : ofCollection;
  }
}
