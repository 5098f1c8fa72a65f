import type { SeededProduct } from '@scrip/catalog';
import type { SeededCustomer, SeededOrder } from '@scrip/customers';
import { newId } from '@scrip/kernel';

/** How many records a seed makes. `skusOfOne`: of the first product; every other one has one SKU. */
export interface SeedSizes {
  customers: number;
  orders: number;
  products: number;
  skusOfOne: number;
}

/** The city in which every tenth customer lives; the others are spread over a thousand. */
export const largeCity = 'London';

/** The name of the customer at a place; one of two thousand. */
export const nameOf = (at: number): string => `First${at % 40} Last${at % 50}-${Math.floor(at / 50) % 10}`;

/** The e-mail address of the customer at a place; no other has it. */
export const emailOf = (at: number): string => `customer-${at}@example.com`;

/** The city of the customer at a place. */
export const cityOf = (at: number): string => (at % 10 === 0 ? largeCity : `City ${at % 1_000}`);

/** Every tenth record was changed after it was created. */
const isChanged = (at: number): boolean => at % 10 === 3;

const years = 2;
const yearMs = 365 * 24 * 3_600_000;
const dayMs = 24 * 3_600_000;

/** Spreads the creation of records over the two years before `end`. */
export const timesUntil = (end: Date, count: number) => {
  const stepMs = (years * yearMs - dayMs) / count;
  const createdMs = (at: number): number => end.getTime() - years * yearMs + Math.floor(at * stepMs);
  return {
    createdAt: (at: number): string => new Date(createdMs(at)).toISOString(),
    changedAt: (at: number): string => new Date(createdMs(at) + dayMs).toISOString(),
  };
};

/** When records of a seed were created and changed. */
export type Times = ReturnType<typeof timesUntil>;

/** The customer at a place. */
export const customerAt = (at: number, { createdAt, changedAt }: Times): SeededCustomer => ({
  id: newId('cust_'),
  customer: {
    source_id: `customer-${at}`,
    name: nameOf(at),
    email: emailOf(at),
    phone: `+44${String(at).padStart(10, '0')}`,
    birthdate: `19${60 + (at % 40)}-0${1 + (at % 9)}-1${at % 10}`,
    address: { city: cityOf(at), line_1: `${1 + (at % 300)} High Street`, country: 'GB' },
    metadata: { newsletter: at % 2 === 0, level: at % 7 },
  },
  createdAt: createdAt(at),
  ...(isChanged(at) ? { change: { customer: { metadata: { level: 8 } }, at: changedAt(at) } } : {}),
});

const skuOf = (name: string, createdAt: string): SeededProduct['skus'][number] => ({
  id: newId('sku_'),
  source_id: `sku-${name}`,
  fields: { sku: `SKU ${name}`, price: 1_500, attributes: { color: 'blue' }, metadata: { stock: 3 } },
  createdAt,
});

/** The product at a place, with its SKUs. */
export const productAt = (at: number, { skusOfOne }: SeedSizes, times: Times): SeededProduct => {
  const { createdAt, changedAt } = times;
  const skus = at === 0 ? skusOfOne : 1;
  const ofProduct = timesUntil(new Date(changedAt(at)), skus);
  return {
    id: newId('prod_'),
    source_id: `product-${at}`,
    fields: {
      name: `Product ${at}`,
      price: 1_000 + (at % 9_000),
      attributes: ['color', 'size'],
      metadata: { season: at % 4, brand: `Brand ${at % 500}` },
    },
    createdAt: createdAt(at),
    skus: Array.from({ length: skus }, (_, n) => skuOf(`${at}-${n}`, ofProduct.createdAt(n))),
    ...(isChanged(at) ? { change: { fields: { price: 999 }, at: changedAt(at) } } : {}),
  };
};

/** The order at a place: of one customer, two products, one of them by its id and one by its source id. */
export const orderAt = (
  at: number,
  { customerIds, productIds }: { customerIds: readonly string[]; productIds: readonly string[] },
  { createdAt, changedAt }: Times,
): SeededOrder => {
  const customer_id = customerIds[(at * 7_919) % customerIds.length];
  const product_id = productIds[(at * 31) % productIds.length];
  const source_id = `product-${(at * 17) % productIds.length}`;
  return {
    id: newId('ord_'),
    draft: {
      source_id: `order-${at}`,
      status: at % 2 === 0 ? 'PAID' : 'CREATED',
      items: [
        ...(product_id === undefined ? [] : [{ product_id, quantity: 1 + (at % 3) }]),
        { related_object: 'product' as const, source_id, quantity: 1 },
      ],
      metadata: { channel: at % 3 === 0 ? 'web' : 'app' },
      ...(customer_id === undefined ? {} : { customer_id }),
    },
    createdAt: createdAt(at),
    ...(isChanged(at) ? { change: { draft: { status: 'FULFILLED' as const }, at: changedAt(at) } } : {}),
  };
};
