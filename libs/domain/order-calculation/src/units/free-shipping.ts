import { shippingProduct } from '../catalogue/catalogue';
import type { OrderState } from '../order/order-state';
import { freeUnits } from './free-units';
import { putFreeUnitsOf } from './put-free-units';
import { type UnitItem, sells } from './unit-item';

// The built-in record, not the catalogue's: what is appended has no price, whatever a project stored under the id.
const shipping: UnitItem = {
  reference: { object: 'product', id: shippingProduct.id },
  entry: { product: shippingProduct, sku: null },
};

/** Whether a free unit of it means that nothing is paid for shipping. */
export const isShipping = ({ reference }: UnitItem): boolean => reference.id === shippingProduct.id;

/** All units of the order's shipping lines become free; an order without such a line gets one without a price. There is
 *  one shipping per order: neither a number of units nor a number of bundles matters, and where it is free already
 *  nothing happens. Source: reference 01 §5. */
export const freeShipping = (order: OrderState): OrderState =>
  order.lines.some((line) => sells(line, shipping))
    ? freeUnits(order, shipping, Number.MAX_SAFE_INTEGER).order
    : putFreeUnitsOf(order, shipping, 1);
