import { sharedScrip, type SharedScrip, taskEnds } from '@scrip/testing';

describe('orders of the past over HTTP', () => {
  let scrip: SharedScrip;

  beforeAll(async () => {
    scrip = await sharedScrip();
  }, 240_000);

  const order = (name: string) => scrip.ask<any>('GET', `/v1/orders/${name}`);
  const ordered = async (orders: unknown): Promise<string> => {
    const answer = await scrip.call('POST', '/v1/orders/import', orders as object);
    expect([answer.status, answer.body]).toEqual([200, { async_action_id: expect.stringMatching(/^aa_u/) }]);
    return (answer.body as { async_action_id: string }).async_action_id;
  };
  const ended = (id: string) => taskEnds(scrip, id);
  const imported = async (orders: unknown): Promise<any> => ended(await ordered(orders));

  it('are stored with their customers, their items as the catalogue prices them, at the time of the import', async () => {
    const product = await scrip.ask<any>('POST', '/v1/products', {
      source_id: 'past-book',
      name: 'Past book',
      price: 1_450,
    });
    const task = await imported([
      {
        source_id: 'past-1',
        status: 'PAID',
        customer: { source_id: 'past-ada', name: 'Ada' },
        referrer: { source_id: 'past-grace' },
        items: [{ product_id: product.id, quantity: 2 }],
        metadata: { channel: 'shop' },
      },
      { source_id: 'past-2', amount: 500 },
      { amount: 700, status: 'CANCELED' },
    ]);
    expect(task).toMatchObject({
      type: 'ORDERS.IMPORT',
      status: 'DONE',
      operation_status: 'SUCCESS',
      result: {
        message: '3 order(s) imported successfully, 0 failed.',
        done_count: 3,
        failed_count: 0,
        failed: [],
      },
    });
    const ada = await scrip.ask<any>('GET', '/v1/customers/past-ada');
    const grace = await scrip.ask<any>('GET', '/v1/customers/past-grace');
    expect(ada.name).toBe('Ada');
    expect(await order('past-1')).toMatchObject({
      status: 'PAID',
      customer_id: ada.id,
      referrer_id: grace.id,
      amount: 2_900,
      items: [{ product_id: product.id, quantity: 2, price: 1_450, amount: 2_900 }],
      metadata: { channel: 'shop' },
    });
    expect(await order('past-2')).toMatchObject({ status: 'CREATED', amount: 500 });
  });

  it('fail one by one: what is there stays as it is', async () => {
    const known = await scrip.ask<any>('POST', '/v1/orders', { source_id: 'known-1', amount: 100 });
    const task = await imported([
      { source_id: 'known-1', amount: 999 },
      { source_id: 'known-2', amount: 1 },
      { source_id: 'known-2', amount: 2 },
      { id: known.id, amount: 3 },
      { id: 'ord_none', source_id: 'known-3' },
      { source_id: 'known-4', referrer_id: 'cust_none' },
    ]);
    expect(task).toMatchObject({
      status: 'DONE',
      result: { message: '1 order(s) imported successfully, 5 failed.', done_count: 1, failed_count: 5 },
    });
    expect(task.result.failed).toEqual([
      { source_id: 'known-1', reason: 'Duplicated order exists with source_id known-1' },
      { source_id: 'known-2', reason: 'Duplicated order exists with source_id known-2' },
      { reason: `Duplicated order exists with id ${known.id}` },
      { source_id: 'known-3', reason: 'Cannot find order with id ord_none' },
      { source_id: 'known-4', reason: 'Cannot find customer with id cust_none' },
    ]);
    const report = await (await fetch(task.result.reports[0])).text();
    expect(report.split('\r\n').slice(0, 3)).toEqual([
      'source_id,found,updated,error',
      expect.stringMatching(/^known-1,false,false,.*Duplicated order exists with source_id known-1/),
      'known-2,false,true,',
    ]);
    expect(await order('known-1')).toMatchObject({ amount: 100 });
    expect(await order('known-2')).toMatchObject({ amount: 1 });
  });

  it('keep their source ids: a single call changes them, and another import fails', async () => {
    const orders = Array.from({ length: 450 }, (_, n) => ({ source_id: `many-${n}`, amount: n }));
    const [first, second] = await Promise.all([ordered(orders), ordered(orders)]);
    const results = [(await ended(first!)).result, (await ended(second!)).result];
    expect(results.map(({ done_count }) => done_count).sort()).toEqual([0, 450]);
    const changed = await scrip.ask<any>('POST', '/v1/orders', { source_id: 'many-7', status: 'PAID' });
    expect(changed).toMatchObject({ amount: 7, status: 'PAID' });
  });

  it('fail where their metadata, or those of an item, break a schema', async () => {
    const schemas = `/management/v1/projects/${scrip.credentials.project_id}/metadata-schemas`;
    const number = { type: 'number', array: false, optional: true };
    for (const related_object of ['order', 'order_item'])
      await scrip.manage('POST', schemas, { related_object, properties: { size: number } });
    const { result } = await imported([
      { source_id: 'sized-1', metadata: { size: 'x' } },
      { source_id: 'sized-2', items: [{ product_id: 'prod_x', amount: 5, metadata: { size: 'x' } }] },
      {
        source_id: 'sized-3',
        metadata: { size: 1 },
        items: [{ product_id: 'prod_x', metadata: { size: 2 } }],
      },
    ]);
    const reason = "size: must be a number (actual value is 'x')";
    expect(result).toMatchObject({
      done_count: 1,
      failed: [
        { source_id: 'sized-1', reason },
        { source_id: 'sized-2', reason },
      ],
    });
    for (const related_object of ['order', 'order_item'])
      await scrip.manage('DELETE', `${schemas}/${related_object}`);
  });

  test.each<[unknown, string]>([
    [{}, 'Payload must be array'],
    [[], 'Payload should NOT have fewer than 1 items'],
    [Array.from({ length: 2_001 }, () => ({})), 'Payload should NOT have more than 2000 items'],
    [[{ amount: 1 }, { amount: -1 }], 'Property [1].amount must be >= 0'],
    [
      [{ status: 'LOST' }],
      'Property [0].status should be equal to one of the allowed values [ CREATED, PAID, CANCELED, FULFILLED ]',
    ],
  ])('%.60j is refused', async (orders, details) => {
    expect(await scrip.call('POST', '/v1/orders/import', orders as object)).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details },
    });
  });

  it('are up to 10 MB, of which the first that is wrong is named', async () => {
    const past = Array.from({ length: 2_000 }, (_, index) => ({
      source_id: `large-${index}`,
      metadata: { note: 'x'.repeat(1_000) },
    }));
    const orders = [...past.slice(0, -1), { ...past.at(-1), amount: 'much' }];
    expect(await scrip.call('POST', '/v1/orders/import', orders)).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details: expect.stringMatching(/^Property \[1999\]\.amount /) },
    });
  });
});
