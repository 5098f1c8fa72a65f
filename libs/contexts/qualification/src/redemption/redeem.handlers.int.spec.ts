import { waitUntil } from '@scrip/testing';
import { RedemptionListHandlers } from '../listing/redemption-list.handlers';
import { Outcomes } from '../outcomes/outcomes';
import { type QualificationFixture, startQualification } from '../qualification.fixture';
import { amount, call, campaignOf, redeemable } from '../redeemables.fixture';
import { RedeemHandlers } from './redeem.handlers';
import { redeemingOn, vouchers } from './redeeming.fixture';

let fixture: QualificationFixture;
const { redeem, drained, recorded } = redeemingOn(() => fixture);

beforeAll(async () => {
  fixture = await startQualification('redeem');
});

afterAll(() => fixture.stop());

describe('a single voucher', () => {
  it('is redeemed on a new order for a customer sent inline', async () => {
    fixture.campaigns.add(
      redeemable('TEN', { discount: amount(1000), campaign: 'Spring', campaign_id: 'camp_1' }, campaignOf()),
    );
    const answer = await redeem({
      redeemables: vouchers('TEN'),
      customer: { source_id: 'alice', name: 'Alice' },
      order: { source_id: 'order-1', items: [{ product_id: 'prod_1', price: 2500, quantity: 2 }] },
      metadata: { shop: 'web' },
    });
    expect(answer).toMatchObject({
      redemptions: [
        {
          id: expect.stringMatching(/^r_/),
          object: 'redemption',
          date: '2026-06-15T10:00:00.000Z',
          customer_id: expect.stringMatching(/^cust_/),
          tracking_id: expect.stringMatching(/^track_[\w-]+$/),
          metadata: null,
          redemption: null,
          result: 'SUCCESS',
          status: 'SUCCEEDED',
          order: {
            source_id: 'order-1',
            status: 'PAID',
            amount: 5000,
            discount_amount: 1000,
            total_amount: 4000,
          },
          channel: { channel_type: 'API', channel_id: 'app_1' },
          customer: { source_id: 'alice', name: 'Alice', object: 'customer' },
          related_object_type: 'voucher',
          related_object_id: 'v_ten',
          voucher: { code: 'TEN', redemption: { redeemed_quantity: 1 }, object: 'voucher' },
        },
      ],
      order: { total_applied_discount_amount: 1000, object: 'order' },
      inapplicable_redeemables: [],
      skipped_redeemables: [],
    });
    expect(answer).not.toHaveProperty('parent_redemption');
    await drained();
    expect(fixture.campaigns.claims.count('CONFIRMED')).toBe(1);
    expect([...fixture.customers.orders.values()]).toMatchObject([
      { order: { source_id: 'order-1', total_amount: 4000 } },
    ]);
  });

  it('leaves the events of its stream to whoever reads the log', async () => {
    // The log shows what no open transaction of the server can come before, others' included.
    const events = await waitUntil(
      async () => {
        const read = await fixture.events.readLog({ after: null, limit: 10 });
        return read.length > 0 && read;
      },
      { what: 'the event to be readable' },
    );
    expect(events).toMatchObject([
      {
        type: 'RedemptionSucceeded',
        metadata: { correlation_id: 'v-000000000000000001', channel: 'API' },
        data: {
          redemption: { metadata: { shop: 'web' }, related_object_id: 'v_ten' },
          campaign: { id: 'camp_1' },
          claims: { order: { difference: { discount_amount: 1000 } } },
        },
      },
    ]);
    expect(JSON.stringify(events)).not.toContain('Alice');
    expect(await fixture.events.verifyState()).toEqual([]);
  });

  it('has no customer where inline customers only identify and nobody is named', async () => {
    const context = call({ inlineCustomersOnlyIdentify: true });
    const before = fixture.customers.customers.size;
    const redeemed = (customer: object) =>
      fixture.get(RedeemHandlers).redeem(context, { redeemables: vouchers('TEN'), customer });
    expect(await redeemed({ email: 'eve@example.com' })).toMatchObject({
      redemptions: [{ customer: null, customer_id: null }],
    });
    expect(fixture.customers.customers.size).toBe(before);
    expect(await redeemed({ source_id: 'alice', email: 'eve@example.com' })).toMatchObject({
      redemptions: [{ customer: { source_id: 'alice' } }],
    });
  });

  it('makes no order where none is sent, and one without amounts from an empty one', async () => {
    expect(await redeem({ redeemables: vouchers('TEN') })).toMatchObject({
      redemptions: [{ order: null, customer: null, tracking_id: null }],
    });
    const answer = await redeem({ redeemables: vouchers('TEN'), order: {} });
    expect(answer).toMatchObject({
      redemptions: [{ order: { status: 'PAID', items: [] } }],
      order: { items: [] },
    });
  });
});

describe('the tracking id of a customer', () => {
  const trackingOf = (answer: unknown): string =>
    (answer as { redemptions: { tracking_id: string }[] }).redemptions[0]!.tracking_id;
  const shown = (id: string) => fixture.get(RedemptionListHandlers).read(call(), id);

  it('is not stored, and is shown of the source id that the customer has now', async () => {
    fixture.campaigns.add(redeemable('TRACKED'));
    const answer = await redeem({
      redeemables: vouchers('TRACKED'),
      customer: { source_id: 'tracked' },
      tracking_id: 'visitor',
    });
    const { id, customer_id } = (answer as { redemptions: { id: string; customer_id: string }[] })
      .redemptions[0]!;
    const tracking_id = trackingOf(answer);
    expect(tracking_id).toMatch(/^track_/);
    expect(await shown(id)).toMatchObject({ tracking_id, customer: { source_id: 'tracked' } });
    const kept = await fixture.dataSource.query<{ text: string }[]>(
      `SELECT t::text AS text FROM redemptions t WHERE id = $1
       UNION ALL SELECT e::text FROM events e WHERE stream_id = $1`,
      [id],
    );
    expect(kept).toHaveLength(2);
    expect(JSON.stringify(kept)).not.toContain('track_');
    fixture.customers.customers.delete(customer_id);
    expect(await shown(id)).toMatchObject({ tracking_id: null, customer_id, customer: null });
  });

  it('is stored of a visitor without a customer', async () => {
    fixture.campaigns.add(redeemable('VISITED'));
    const answer = await redeem({ redeemables: vouchers('VISITED'), tracking_id: 'visitor' });
    const { id } = (answer as { redemptions: { id: string }[] }).redemptions[0]!;
    expect(await shown(id)).toMatchObject({ tracking_id: trackingOf(answer), customer_id: null });
  });

  it('names nobody once that customer is erased', async () => {
    fixture.campaigns.add(redeemable('ERASED'));
    const request = { redeemables: vouchers('ERASED'), customer: { source_id: 'erased' } };
    const answer = await redeem(request);
    const encoded = trackingOf(answer);
    const { customer_id } = (answer as { redemptions: { customer_id: string }[] }).redemptions[0]!;
    fixture.customers.customers.delete(customer_id);
    fixture.customers.erased.add('erased');
    const before = fixture.customers.customers.size;
    expect(await redeem({ ...request, customer: { source_id: encoded } })).toMatchObject({
      refused: 'not_found',
      details: `Cannot find customer with id ${encoded}`,
    });
    expect(fixture.customers.customers.size).toBe(before);
    // Sent as it is, it is a new customer's.
    expect(trackingOf(await redeem(request))).toBe(encoded);
    expect(await redeem({ ...request, customer: { source_id: encoded } })).toMatchObject({
      redemptions: [{ customer: { source_id: 'erased' } }],
    });
  });
});

it('claims a stored order as it was read: its version, and the provisional change that it shows', async () => {
  fixture.campaigns.add(redeemable('READ'));
  const request = { redeemables: vouchers('READ'), order: { source_id: 'order-read', amount: 1000 } };
  await redeem(request);
  await drained();
  const stored = [...fixture.customers.orders.values()].find(
    ({ order }) => order.source_id === 'order-read',
  )!;
  const claim = jest.spyOn(fixture.customers, 'claim');
  for (const shown of [{}, { after: 'clm_shown' }]) {
    const { version } = fixture.customers.orders.get(stored.order.id)!;
    fixture.customers.orders.set(stored.order.id, { ...stored, version, ...shown });
    claim.mockClear();
    await redeem(request);
    await drained();
    const [asked] = claim.mock.calls[0]![1].claims;
    const { order: _, ...named } = asked!.asks.order!;
    expect(named).toEqual({ base_version: version, ...shown });
  }
  claim.mockRestore();
});

it('redeems a stack as a parent and its children', async () => {
  fixture.campaigns.add(
    redeemable('S1', { discount: amount(100) }),
    redeemable('S2', { discount: amount(200) }),
  );
  const answer = (await redeem({ redeemables: vouchers('S1', 'S2'), order: { amount: 1000 } })) as {
    parent_redemption: { id: string; order: object };
    redemptions: { id: string; redemption: string; order: object }[];
  };
  const parentId = answer.parent_redemption.id;
  expect(answer.parent_redemption).toMatchObject({
    redemption: null,
    related_object_type: 'redemption',
    related_object_id: parentId,
    order: { status: 'PAID', discount_amount: 300, applied_discount_amount: 300, total_amount: 700 },
  });
  expect(answer.parent_redemption).not.toHaveProperty('voucher');
  expect(answer.redemptions).toMatchObject([
    {
      redemption: parentId,
      order: { applied_discount_amount: 100, discount_amount: 100, total_amount: 900 },
    },
    {
      redemption: parentId,
      order: { applied_discount_amount: 200, discount_amount: 300, total_amount: 700 },
    },
  ]);
  expect(answer.redemptions[0]!.order).not.toHaveProperty('status');
  const [outcome] = await fixture.get(Outcomes).read([parentId]);
  expect(outcome).toMatchObject({
    verdict: 'RECORDED',
    claims: [expect.any(String), expect.any(String), expect.any(String)],
  });
});

it('shows in each child of a stack the amounts of its own step', async () => {
  fixture.campaigns.add(
    redeemable('ITEMS', { discount: amount(100, { effect: 'APPLY_TO_ITEMS' }) }),
    redeemable('ORDER', { discount: amount(200) }),
  );
  const answer = (await redeem({
    redeemables: vouchers('ITEMS', 'ORDER'),
    order: { items: [{ product_id: 'prod_1', price: 1000, quantity: 1 }] },
  })) as { redemptions: { order: Record<string, unknown> }[] };
  const discounts = answer.redemptions.map(({ order }) =>
    Object.fromEntries(Object.entries(order).filter(([field]) => field.endsWith('discount_amount'))),
  );
  expect(discounts).toEqual([
    {
      items_discount_amount: 100,
      items_applied_discount_amount: 100,
      total_discount_amount: 100,
      total_applied_discount_amount: 100,
    },
    {
      discount_amount: 200,
      applied_discount_amount: 200,
      items_discount_amount: 100,
      total_discount_amount: 300,
      total_applied_discount_amount: 200,
    },
  ]);
});

describe('a failed redemption', () => {
  it('is recorded and named in the refusal', async () => {
    fixture.campaigns.add(redeemable('GONE', { redemption: { quantity: 1, redeemed_quantity: 1 } }));
    const refusal = await redeem({ redeemables: vouchers('GONE'), customer: { source_id: 'bob' } });
    expect(refusal).toMatchObject({
      refused: 'quantity_exceeded',
      details: 'GONE',
      resourceId: expect.stringMatching(/^rf_/),
      resourceType: 'redemption',
      redeemable_id: 'GONE',
      redeemable_type: 'voucher',
    });
    const [failure] = await recorded('FAILED');
    expect(failure).toMatchObject({
      result: 'FAILURE',
      failure_code: 'quantity_exceeded',
      failure_message: 'quantity exceeded',
      order: null,
      related_object_type: 'voucher',
      related_object_id: 'v_gone',
      voucher: { code: 'GONE' },
    });
  });

  it('relates to itself where nothing was found, and answers 404', async () => {
    const refusal = await redeem({ redeemables: vouchers('NOPE') });
    expect(refusal).toMatchObject({ refused: 'not_found', details: 'Cannot find voucher with id NOPE' });
    const failure = (await recorded('FAILED')).at(-1)!;
    expect(failure).toMatchObject({
      failure_code: 'not_found',
      failure_message: 'Resource not found',
      related_object_type: 'redemption',
      voucher: null,
    });
    expect(failure.related_object_id).toBe(failure.id);
  });

  it('records nothing where the customer or the order is unknown', async () => {
    const before = (await recorded('FAILED')).length;
    expect(await redeem({ redeemables: vouchers('TEN'), customer: { id: 'cust_x' } })).toMatchObject({
      refused: 'not_found',
      resourceType: 'customer',
    });
    expect(await redeem({ redeemables: vouchers('TEN'), order: { id: 'ord_x' } })).toMatchObject({
      refused: 'not_found',
    });
    expect((await recorded('FAILED')).length).toBe(before);
  });
});
