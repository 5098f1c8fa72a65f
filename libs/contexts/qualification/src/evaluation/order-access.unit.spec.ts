import type { CustomersPort } from '@scrip/contracts/customers';
import { notFound, refuse } from '@scrip/kernel';
import { call } from '../redeemables.fixture';
import { namedOrder } from './order-access';

/** Customers of which an order is not read any more: its customer was deleted. */
const owners: Pick<CustomersPort, 'loadOrder' | 'loadCustomers'> = {
  loadOrder: async (_, { id }) =>
    id === undefined ? refuse('duplicate_found', 'of a deleted customer') : notFound('order', id),
  loadCustomers: async () => [],
};

const server = call();
const browser = call({ channel: 'CLIENT_API', apiKey: { id: 'app_web', name: 'Browser' } });
const left = {
  refused: 'invalid_order',
  details: 'The order with source id cart cannot be used: its customer was deleted. Send another source id.',
};
const anothers = {
  refused: 'invalid_order',
  details: 'The order with source id cart cannot be used here: send the encoded tracking id of its customer.',
};
const unknown = notFound('order', 'ord_1');

describe('the order of a deleted customer (reference 03 §3.3)', () => {
  it.each([
    ['is refused to a validation', server, { source_id: 'cart' }, false, left],
    ['is refused to a redemption', server, { source_id: 'cart' }, true, left],
    ['is unknown by its id', server, { id: 'ord_1' }, true, unknown],
    ['is nothing to a validation of a browser', browser, { source_id: 'cart' }, false, null],
    ['is another’s to a redemption of a browser', browser, { source_id: 'cart' }, true, anothers],
    ['is unknown to a browser by its id', browser, { id: 'ord_1' }, true, unknown],
  ])('%s', async (_, context, order, store, expected) => {
    const found = await namedOrder(owners, context, order, { proven: 'ada', store });
    expect(found && { ...found }).toEqual(expected && expect.objectContaining(expected));
  });
});
