import { type Catalogue, emptyCatalogue } from '../catalogue/catalogue';
import type { ShownUnit, UnitDiscount, UnitRecord } from '../discount';
import type { LineState, OrderState } from '../order/order-state';
import { type UnitItem, sells, unitItemOf } from './unit-item';

const noOrder: OrderState = { amount: undefined, initialAmount: undefined, discountAmount: 0, lines: [] };

const recordOf = (
  id: string | undefined,
  sourceId: string | undefined,
  name: string | undefined,
): UnitRecord | undefined => {
  if (id === undefined) return undefined;
  return { id, ...(sourceId !== undefined && { source_id: sourceId }), name: name ?? id };
};

const shown = (
  product: UnitRecord | undefined,
  sku: UnitRecord | undefined,
  skuName: string | undefined,
): ShownUnit => ({
  ...(product && { product }),
  ...(sku && { sku: skuName === undefined ? sku : { ...sku, sku: skuName } }),
});

const ofEntry = ({ product, sku }: NonNullable<UnitItem['entry']>): ShownUnit =>
  shown(
    recordOf(product.id, product.source_id, product.name),
    sku ? recordOf(sku.id, sku.source_id, sku.sku) : undefined,
    sku?.sku,
  );

const ofLine = ({ echo, identity }: LineState, { reference }: UnitItem): ShownUnit =>
  shown(
    recordOf(identity.productId, identity.productSourceId, echo.product?.name),
    reference.object === 'sku' ? recordOf(identity.skuId, identity.skuSourceId, echo.sku?.sku) : undefined,
    reference.object === 'sku' ? echo.sku?.sku : undefined,
  );

const shownUnit = (unitType: string | undefined, order: OrderState, catalogue: Catalogue): ShownUnit => {
  if (unitType === undefined) return {};
  const item = unitItemOf(unitType, order, catalogue);
  if (item.entry) return ofEntry(item.entry);
  const line = order.lines.find((one) => sells(one, item));
  return line ? ofLine(line, item) : {};
};

/** A discount as answers show it: with the product or SKU that its `unit_type`, and that of each of its `units`, names,
 *  from the catalogue, else from the order's lines. Unknown ones, and collections, are left out.
 *  Source: reference 01 §7. */
export const shownUnits = (
  discount: UnitDiscount,
  order: OrderState | null,
  catalogue: Catalogue = emptyCatalogue,
): UnitDiscount => ({
  ...discount,
  ...shownUnit(discount.unit_type, order ?? noOrder, catalogue),
  ...(discount.units && {
    units: discount.units.map((unit) => ({
      ...unit,
      ...shownUnit(unit.unit_type, order ?? noOrder, catalogue),
    })),
  }),
});
