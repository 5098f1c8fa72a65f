import type { DocumentedCaller } from './documented-caller.fixture';

/** The body of an order. */
export const order = {
  source_id: 'order-1',
  status: 'PAID',
  items: [{ product_id: 'prod_1', quantity: 2, price: 1_000, product: { name: 'Tea' } }],
};

export const askOrders = async ({ send }: DocumentedCaller): Promise<void> => {
  const { answer: stored } = await send('POST', '/v1/orders', {
    body: {
      ...order,
      source_id: 'order-1',
      customer: { source_id: 'ada' },
      referrer: { source_id: 'bea' },
    },
  });
  const orderId = stored.id as string;
  await send('PUT', '/v1/orders/{orderId}', {
    parameters: { orderId },
    body: { status: 'PAID', source_id: null, referrer_id: null, metadata: { parcel: null } },
  });
  await send('GET', '/v1/orders/{orderId}', { parameters: { orderId } });
  await send('GET', '/v1/orders', { query: '?limit=5&order=-updated_at' });
  await send('POST', '/v1/orders/import', { body: [{ source_id: 'of-the-past', amount: 1_000 }] });
};
