import type { ProductSnapshot } from '@scrip/contracts/catalog';
import { type Refusal, refuse } from '@scrip/kernel';

/** The product that stands for shipping in every project. It is stored nowhere, has no price and no SKUs, and cannot be
 *  changed. Source: reference 01 §5, 07 §6. */
export const shipping: ProductSnapshot = {
  id: 'prod_5h1pp1ng',
  source_id: 'prod_5h1pp1ng',
  name: 'Shipping',
  price: null,
  attributes: [],
  metadata: {},
  image_url: null,
  created_at: '1970-01-01T00:00:00.000Z',
  updated_at: null,
};

/** Whether one of the names is that of shipping. */
export const namesShipping = (...names: readonly (string | null | undefined)[]): boolean =>
  names.includes(shipping.id);

/** Refuses a change of shipping. */
export const shippingProtected = (): Refusal<'resource_protected'> =>
  refuse('resource_protected', `Cannot change product with id ${shipping.id}: every project has it`, {
    resourceId: shipping.id,
    resourceType: 'product',
  });
