import { waitUntil } from '@scrip/testing';
import { bootCustomers, type CustomersOverHttp } from '../customers-http.fixture';
import { type HeldGiftCard, storeHeldGiftCards } from './gift-card.table';
import { addRedemptions } from './redemption-summary.table';
import { type CountedOrder, storeCountedOrders } from './order-summary.table';

const project = 'proj_1';

describe('the computed blocks of customers', () => {
  let fixture: CustomersOverHttp;

  beforeAll(async () => {
    fixture = await bootCustomers('summaries');
  });
  afterAll(() => fixture?.running.close());

  const ordersOf = async (id: string) =>
    (await fixture.call('GET', `/v1/customers/${id}`)).body.summary.orders;
  const untilOrdersOf = (id: string, expected: object) =>
    waitUntil(
      async () => {
        const { last_order_date, ...sums } = await ordersOf(id);
        return JSON.stringify(sums) === JSON.stringify(expected) && [last_order_date];
      },
      { what: `the orders ${JSON.stringify(expected)}` },
    );
  const sums = (
    total_count: number,
    total_amount: number,
    average_amount: number,
    last_order_amount: number,
  ) => ({
    total_amount,
    total_count,
    average_amount,
    last_order_amount,
  });
  const order = async (body: object): Promise<string> => {
    const { status, body: answer } = await fixture.call('POST', '/v1/orders', body);
    expect({ status, answer }).toMatchObject({ status: 200 });
    return answer.id;
  };

  it('sum the orders that are paid or fulfilled, and follow each change of status', async () => {
    const id = await fixture.customer({ source_id: 'ada' });
    const customer = { source_id: 'ada' };
    const first = await order({ customer, amount: 20_000, status: 'PAID' });
    await untilOrdersOf(id, sums(1, 20_000, 20_000, 20_000));
    const second = await order({ customer, amount: 5_000, status: 'FULFILLED' });
    await order({ customer, amount: 700 });
    const [date] = await untilOrdersOf(id, sums(2, 25_000, 12_500, 5_000));
    expect(date).toBe((await fixture.call('GET', `/v1/orders/${second}`)).body.created_at);
    await fixture.call('PUT', `/v1/orders/${first}`, { status: 'CANCELED' });
    await untilOrdersOf(id, sums(1, 5_000, 5_000, 5_000));
    await fixture.call('PUT', `/v1/orders/${first}`, { status: 'PAID', amount: 101 });
    await untilOrdersOf(id, sums(2, 5_101, 2_551, 5_000));
    await fixture.call('PUT', `/v1/orders/${second}`, { customer: { source_id: 'bob' } });
    await untilOrdersOf(id, sums(1, 101, 101, 101));
    await untilOrdersOf(
      (await fixture.call('GET', '/v1/customers/bob')).body.id,
      sums(1, 5_000, 5_000, 5_000),
    );
    await fixture.call('PUT', `/v1/orders/${first}`, { status: 'CREATED' });
    expect(await untilOrdersOf(id, sums(0, 0, 0, 0))).toEqual([undefined]);
    const listed = (await fixture.call('GET', '/v1/customers?limit=100')).body.customers;
    for (const shown of listed)
      expect(shown).toEqual((await fixture.call('GET', `/v1/customers/${shown.id}`)).body);
  });

  it('are the same after a rebuild of the group', async () => {
    const id = await fixture.customer({ source_id: 'again' });
    await order({ customer: { source_id: 'again' }, amount: 900, status: 'PAID' });
    await untilOrdersOf(id, sums(1, 900, 900, 900));
    // Of who has no orders any more a row may be left.
    const queries = [
      'SELECT * FROM customer_orders ORDER BY project_id, order_id',
      'SELECT * FROM customer_order_summaries WHERE total_count > 0 ORDER BY project_id, customer_id',
      'SELECT * FROM customer_redemption_summaries ORDER BY project_id, customer_id',
    ];
    const content = () => Promise.all(queries.map((query) => fixture.database.query(query)));
    const before = await content();
    await fixture.database.query('UPDATE customer_order_summaries SET total_amount = 7');
    expect(await fixture.running.consumers.rebuild('customers.summaries')).not.toHaveProperty('refused');
    expect(await content()).toEqual(before);
  });

  it('have what is left on the gift cards that the customer holds', async () => {
    const id = await fixture.customer({ source_id: 'holder' });
    const other = await fixture.customer({ source_id: 'other' });
    const store = (...cards: (Partial<HeldGiftCard> & { voucher_id: string })[]) =>
      storeHeldGiftCards(
        fixture.database.manager,
        cards.map((card) => ({ project_id: project, customer_id: null, balance: 0, gone: false, ...card })),
      );
    const left = async (customer: string) =>
      (await fixture.call('GET', `/v1/customers/${customer}`)).body.summary.redemptions.gift.amount_to_go;
    await store(
      { voucher_id: 'v_1', customer_id: id, balance: 500 },
      { voucher_id: 'v_2', customer_id: id, balance: 70 },
      { voucher_id: 'v_3', customer_id: other, balance: 9 },
      { voucher_id: 'v_4', balance: 1_000 },
    );
    expect([await left(id), await left(other)]).toEqual([570, 9]);
    await store({ voucher_id: 'v_1', balance: 200 }, { voucher_id: 'v_3', gone: true });
    expect([await left(id), await left(other)]).toEqual([270, 0]);
  });

  const counted = (
    order_id: string,
    version: number,
    amount: number | null,
    at: string,
    customer_id = 'cust_t',
  ) =>
    ({
      project_id: 'proj_t',
      order_id,
      version,
      amount,
      customer_id,
      ordered_at: `2026-03-${at}T10:00:00Z`,
    }) as CountedOrder;
  const stored = async (customer_id: string) =>
    (
      await fixture.database.query(
        `SELECT total_amount::int, total_count::int, last_order_id, last_order_amount::int
         FROM customer_order_summaries WHERE project_id = 'proj_t' AND customer_id = $1`,
        [customer_id],
      )
    )[0];

  it('take an order once however often its events come, and never an older state over a newer one', async () => {
    const { manager } = fixture.database;
    await storeCountedOrders(manager, [counted('o1', 1, 100, '01'), counted('o2', 1, 50, '02')]);
    for (const version of [2, 2, 1])
      await storeCountedOrders(manager, [counted('o1', version, version * 1_000, '01')]);
    expect(await stored('cust_t')).toEqual({
      total_amount: 2_050,
      total_count: 2,
      last_order_id: 'o2',
      last_order_amount: 50,
    });
  });

  it('of one customer are right under orders that are stored at once', async () => {
    const orders = Array.from({ length: 50 }, (_, n) => `p${String(n).padStart(2, '0')}`);
    await Promise.all(
      orders.map(async (id, n) => {
        const day = String(1 + (n % 28)).padStart(2, '0');
        await storeCountedOrders(fixture.database.manager, [counted(id, 1, 10, day, 'cust_p')]);
        await fixture.database.transaction((manager) =>
          storeCountedOrders(manager, [counted(id, 2, n % 28 === 27 ? null : 20, day, 'cust_p')]),
        );
      }),
    );
    expect(await stored('cust_p')).toEqual({
      total_amount: 49 * 20,
      total_count: 49,
      last_order_id: 'p26',
      last_order_amount: 20,
    });
  });

  it('add up redemptions, several of a customer in one statement', async () => {
    const id = await fixture.customer({});
    const none = {
      failed: 0,
      succeeded: 0,
      rollback_failed: 0,
      rollback_succeeded: 0,
      gift_amount: 0,
      points: 0,
    };
    const of = (counts: object) => ({ project_id: project, customer_id: id, ...none, ...counts });
    const { manager } = fixture.database;
    await addRedemptions(manager, [
      of({ succeeded: 1, gift_amount: 500 }),
      of({ succeeded: 1 }),
      of({ failed: 1 }),
    ]);
    await addRedemptions(manager, [
      of({ rollback_succeeded: 1, gift_amount: -200 }),
      of({ rollback_failed: 1, points: 3 }),
    ]);
    expect((await fixture.call('GET', `/v1/customers/${id}`)).body.summary.redemptions).toEqual({
      total_redeemed: 3,
      total_failed: 1,
      total_succeeded: 2,
      total_rolled_back: 2,
      total_rollback_failed: 1,
      total_rollback_succeeded: 1,
      gift: { redeemed_amount: 300, amount_to_go: 0 },
      loyalty_card: { redeemed_points: 3, points_to_go: 0 },
    });
  });

  it('are what filters of segments see: who comes to match by orders enters, and leaves again', async () => {
    const id = await fixture.customer({ source_id: 'buyer' });
    const filter = { 'summary.orders.total_count': { conditions: { $more_than: [1] } } };
    const body = { name: 'Buyers', type: 'auto-update', filter };
    const segment = (await fixture.call('POST', '/v1/segments', body)).body.id;
    const members = () =>
      fixture.database.query<object[]>('SELECT FROM segment_members WHERE segment_id = $1', [segment]);
    const ids = [];
    for (const _ of [1, 2])
      ids.push(await order({ customer: { source_id: 'buyer' }, amount: 100, status: 'PAID' }));
    await waitUntil(async () => (await members()).length === 1, { what: 'the buyer to enter' });
    const segments = (await fixture.call('GET', `/v1/customers/${id}/segments`)).body.data;
    expect(segments).toEqual([{ id: segment, name: 'Buyers', object: 'segment' }]);
    await fixture.call('PUT', `/v1/orders/${ids[0]}`, { status: 'CANCELED' });
    await waitUntil(async () => (await members()).length === 0, { what: 'the buyer to leave' });
    await waitUntil(
      async () => (await fixture.database.query<object[]>('SELECT FROM segment_retests')).length === 0,
      {
        what: 'nothing to be left to test',
      },
    );
  });
});
