import { type ScripAnswer, type SharedScrip, sharedScrip, waitUntil } from '@scrip/testing';

describe.each<[string, (shop: SharedScrip, id: string) => Promise<ScripAnswer>]>([
  ['deleted', (shop, id) => shop.call('DELETE', `/v1/customers/${id}`)],
  ['permanently deleted', (shop, id) => shop.call('POST', `/v1/customers/${id}/permanent-deletion`)],
])('orders over HTTP of a customer who was %s (reference 07 §3)', (_, remove) => {
  it('are unknown to every call, and keep their source ids', async () => {
    const shop = await sharedScrip();
    await shop.ask('POST', '/v1/campaigns', {
      name: 'Of orders',
      campaign_type: 'DISCOUNT_COUPONS',
      type: 'STANDALONE',
      voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 10 }, code: 'GONE-10' },
    });
    const redeemables = [{ object: 'voucher', id: 'GONE-10' }];
    const kept = await shop.ask<{ id: string }>('POST', '/v1/orders', { customer: { source_id: 'bea' } });
    const redeemed = await shop.ask<{ redemptions: { id: string }[]; order: { id: string } }>(
      'POST',
      '/v1/redemptions',
      { redeemables, customer: { source_id: 'ada' }, order: { source_id: 'gone', amount: 100 } },
    );
    const { id } = redeemed.order;
    const ada = await shop.ask<{ id: string }>('GET', '/v1/customers/ada');
    // Lists show an order once the redemption that made it is settled, which is after its answer.
    await waitUntil(async () => (await shop.call('GET', '/v1/orders')).body.total === 2, {
      what: 'both orders',
    });
    expect(Math.floor((await remove(shop, ada.id)).status / 100)).toBe(2);

    const order = { source_id: 'gone', amount: 100 };
    const taken =
      'The order with source id gone cannot be used: its customer was deleted. Send another source id.';
    const calls: [string, string, unknown, [number, string, string]][] = [
      ['GET', `/v1/orders/${id}`, undefined, [404, 'not_found', `Cannot find order with id ${id}`]],
      ['GET', '/v1/orders/gone', undefined, [404, 'not_found', 'Cannot find order with id gone']],
      ['PUT', '/v1/orders/gone', { amount: 1 }, [404, 'not_found', 'Cannot find order with id gone']],
      ['POST', '/v1/orders', { id, amount: 1 }, [404, 'not_found', `Cannot find order with id ${id}`]],
      ['POST', '/v1/orders', order, [409, 'duplicate_found', 'Duplicated order exists with source_id gone']],
      [
        'POST',
        '/v1/validations',
        { redeemables, order: { id } },
        [404, 'not_found', `Cannot find order with id ${id}`],
      ],
      ['POST', '/v1/validations', { redeemables, order }, [400, 'invalid_order', taken]],
      [
        'POST',
        '/v1/redemptions',
        { redeemables, order: { id } },
        [404, 'not_found', `Cannot find order with id ${id}`],
      ],
      ['POST', '/v1/redemptions', { redeemables, order }, [400, 'invalid_order', taken]],
    ];
    for (const [method, path, body, [code, key, details]] of calls) {
      const answer = await shop.call(method as 'GET', path, body);
      expect([method, path, body, answer.body]).toMatchObject([method, path, body, { code, key, details }]);
    }
    const { body: list } = await shop.call('GET', '/v1/orders');
    expect([list.orders.map((one: { id: string }) => one.id), list.total]).toEqual([[kept.id], 1]);
    const [redemption] = redeemed.redemptions;
    expect((await shop.call('GET', `/v1/redemptions/${redemption!.id}`)).body).toMatchObject({
      customer_id: ada.id,
    });
    expect((await shop.call('POST', `/v1/redemptions/${redemption!.id}/rollback`)).status).toBe(200);
  });
});
