import type { Catalogue, CatalogueEntry } from '../catalogue/catalogue';
import { identityOf } from '../catalogue/identify';
import type { ItemReference } from '../catalogue/item-reference';
import { lineMatches } from '../catalogue/line-identity';
import type { EffectContext } from '../effects/effect';
import { lineEcho } from '../order/line-echo';
import type { LineState, OrderState } from '../order/order-state';

/** The product or SKU that free units are units of. */
export interface UnitItem {
  readonly reference: ItemReference & { readonly id: string };
  /** Its record; undefined: the catalogue does not know it. */
  readonly entry: CatalogueEntry | undefined;
}

const recorded = (entry: CatalogueEntry): UnitItem => {
  const { id, source_id } = entry.sku ?? entry.product;
  const object = entry.sku ? 'sku' : 'product';
  return { reference: source_id === undefined ? { object, id } : { object, id, source_id }, entry };
};

// Nothing but its prefix tells what kind of thing an id means that neither catalogue nor order know.
const skuIdPrefix = 'sku_';

const unrecorded = (unitType: string, lines: readonly LineState[]): UnitItem => {
  const names = { id: unitType, source_id: unitType };
  const sku = { object: 'sku', ...names } as const;
  return unitType.startsWith(skuIdPrefix) || lines.some(({ identity }) => lineMatches(identity, sku))
    ? { reference: sku, entry: undefined }
    : { reference: { object: 'product', ...names }, entry: undefined };
};

/** What `unitType` names: a record of the catalogue by id, else by source id, else something that only the order's
 *  lines know. An unknown reference is allowed: it is a product, or a SKU where its id says so. Source: reference 01 §3, §7. */
export const unitItemOf = (unitType: string, { lines }: OrderState, catalogue: Catalogue): UnitItem => {
  const entry =
    catalogue.sku(unitType) ??
    catalogue.product(unitType) ??
    catalogue.skuBySource(unitType) ??
    catalogue.productBySource(unitType);
  return entry ? recorded(entry) : unrecorded(unitType, lines);
};

/** Whether a line sells units of it; a product covers all its SKUs. */
export const sells = ({ identity }: LineState, { reference }: UnitItem): boolean =>
  lineMatches(identity, reference);

/** A line of it without any unit yet: what an effect appends where the order has none. Without a known price it has no
 *  amount. Source: reference 01 §4, §7. */
export const emptyLineOf = ({ reference, entry }: UnitItem): LineState => {
  const named = reference.object === 'sku' ? { sku_id: reference.id } : { product_id: reference.id };
  const skuPrice = entry?.sku?.price ?? undefined;
  const productPrice = entry?.product.price ?? undefined;
  const price = skuPrice ?? productPrice;
  const amount = price === undefined ? undefined : 0;
  return {
    echo: lineEcho(named, entry, { price, skuPrice, productPrice }),
    identity: identityOf(named, entry),
    quantity: 0,
    amount,
    initialQuantity: 0,
    initialAmount: amount,
    discountAmount: 0,
    discountQuantity: 0,
    freeQuantity: 0,
    replacements: [],
  };
};

/** Whether an earlier redeemable discounted its product and discounts of one product don't stack.
 *  Source: reference 01 §10. */
export const isItemClosed = (
  { lines }: OrderState,
  item: UnitItem,
  { isClosed }: Pick<EffectContext, 'isClosed'>,
): boolean => isClosed(emptyLineOf(item)) || lines.some((line) => sells(line, item) && isClosed(line));
