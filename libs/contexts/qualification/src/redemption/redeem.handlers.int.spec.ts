import { Fault, isRefused, randomIds } from '@scrip/kernel';
import { defaultStackingSettings } from '@scrip/order-calculation';
import { waitUntil } from '@scrip/testing';
import { Outcomes } from '../outcomes/outcomes';
import { RedemptionReads } from './redemption.reads';
import { type QualificationFixture, startQualification } from '../qualification.fixture';
import { amount, call, campaignOf, redeemable } from '../redeemables.fixture';
import type { RedeemablesRequest } from '../request/redeemables-request';
import { RollbackHandlers } from '../rollback/rollback.handlers';
import { SettlementPusher } from '../settlement/settlement';
import { ProjectSettings } from '../evaluation/project-settings';
import { RedeemHandlers } from './redeem.handlers';

let fixture: QualificationFixture;

beforeAll(async () => {
  fixture = await startQualification('redeem');
});

afterAll(() => fixture.stop());

const vouchers = (...codes: string[]): RedeemablesRequest['redeemables'] =>
  codes.map((id) => ({ object: 'voucher' as const, id }));

const redeem = (request: RedeemablesRequest, key: Parameters<RedeemHandlers['redeem']>[2] = null) =>
  fixture.get(RedeemHandlers).redeem(call(), request, key);

const drained = () => fixture.get(SettlementPusher).drained();

const rows = <Row>(sql: string, ...values: unknown[]): Promise<Row[]> =>
  fixture.dataSource.query<Row[]>(sql, values);

const recorded = (status: string) =>
  rows<{ id: string }>('SELECT id FROM redemptions ORDER BY id').then(async (found) => {
    const ids = found.map(({ id }) => id);
    const states = await fixture.get(RedemptionReads).redemptions(call(), ids);
    return states.map(({ redemption }) => redemption).filter((redemption) => redemption.status === status);
  });

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

  it('reverts what was claimed before an owner refused', async () => {
    fixture.campaigns.add(
      redeemable('FREE'),
      redeemable('LAST', { redemption: { quantity: 1, redeemed_quantity: 0 } }),
    );
    const loaded = fixture.campaigns.load;
    const load = jest.spyOn(fixture.campaigns, 'load').mockImplementationOnce(async (context, request) => {
      const found = await loaded(context, request);
      await redeem({ redeemables: vouchers('LAST') }); // another redemption takes the last use in between
      return found;
    });
    const refusal = await redeem({ redeemables: vouchers('FREE', 'LAST') });
    load.mockRestore();
    expect(refusal).toMatchObject({ refused: 'quantity_exceeded', redeemable_id: 'LAST' });
    await drained();
    expect([fixture.campaigns.redeemed('FREE'), fixture.campaigns.redeemed('LAST')]).toEqual([0, 1]);
    expect(fixture.campaigns.claims.count('PROVISIONAL')).toBe(0);
  });
});

describe('PARTIAL redeeming', () => {
  let settings: jest.SpyInstance;

  beforeAll(() => {
    const partial = { ...defaultStackingSettings, redeemables_application_mode: 'PARTIAL' as const };
    settings = jest.spyOn(fixture.get(ProjectSettings), 'stackingOf').mockResolvedValue(partial);
    fixture.campaigns.add(
      redeemable('P1', { discount: amount(100) }),
      redeemable('P2', { discount: amount(200) }),
      redeemable('OFF1', { active: false }),
      redeemable('OFF2', { expiration_date: '2026-01-01T00:00:00.000Z' }),
    );
  });
  afterAll(() => settings.mockRestore());

  /** What one request left in the database, failed redemptions by the code that they are of. */
  const leftBy = async (request: RedeemablesRequest) => {
    const before = await rows<{ id: string }>('SELECT id FROM redemptions');
    const answer: any = await redeem(request);
    const found = await rows<Record<string, string | null>>(
      `SELECT voucher_code, parent_redemption_id, failure_code, related_object_id = id AS is_alone
         FROM redemptions WHERE id <> ALL($1) AND result = 'FAILURE' ORDER BY voucher_code NULLS LAST`,
      before.map(({ id }) => id),
    );
    return { answer, failed: found.map((row) => Object.values(row)) };
  };

  it('records each redeemable that does not apply as a failed child of the stack, and none that is passed over', async () => {
    const { answer, failed } = await leftBy({
      redeemables: vouchers('OFF1', 'P1', 'NOBODY', 'P2', 'OFF2'),
      order: { amount: 1000 },
    });
    const parent = answer.parent_redemption.id;
    expect(answer.redemptions).toMatchObject([{ related_object_id: 'v_p1' }, { related_object_id: 'v_p2' }]);
    expect(answer.inapplicable_redeemables).toHaveLength(3);
    expect(failed).toEqual([
      ['OFF1', parent, 'voucher_disabled', false],
      ['OFF2', parent, 'voucher_expired', false],
      [null, parent, 'not_found', true],
    ]);
    await drained();
    const undone: any = await fixture.get(RollbackHandlers).rollBackStack(call(), parent, {}, randomIds);
    expect(undone).toMatchObject({ parent_rollback: { redemption: parent } });
    expect(undone.rollbacks).toHaveLength(2);
  });

  it('records it beside a single, which has no parent', async () => {
    const { answer, failed } = await leftBy({ redeemables: vouchers('P1', 'OFF1'), order: { amount: 1000 } });
    expect(answer).not.toHaveProperty('parent_redemption');
    expect(failed).toEqual([['OFF1', null, 'voucher_disabled', false]]);
  });

  it.each<[string[], string | null, string]>([
    [['OFF1', 'OFF2'], null, 'voucher_disabled'],
    [['OFF2'], 'OFF2', 'voucher_expired'],
  ])('of %j redeems nothing, says why not, and records one failed redemption', async (codes, about, why) => {
    const { answer, failed } = await leftBy({ redeemables: vouchers(...codes), order: { amount: 1000 } });
    expect(answer).toMatchObject({
      refused: 'no_applicable_redeemables',
      inapplicable_redeemables: codes.map((id) => ({ id, status: 'INAPPLICABLE' })),
      skipped_redeemables: [],
      resourceId: expect.stringMatching(/^rf_/),
    });
    expect(answer.redeemable_id).toBe(about ?? undefined);
    expect(failed).toEqual([[about, null, 'no_applicable_redeemables', about === null]]);
    const { redemption } = (await fixture.get(RedemptionReads).redemption(call(), answer.resourceId))!;
    expect(redemption.because).toMatchObject({ key: why });
  });

  it('says the same where an owner refuses the only one', async () => {
    fixture.campaigns.add(redeemable('PLAST', { redemption: { quantity: 1, redeemed_quantity: 1 } }));
    const { answer, failed } = await leftBy({ redeemables: vouchers('PLAST') });
    expect(answer).toMatchObject({
      refused: 'no_applicable_redeemables',
      inapplicable_redeemables: [{ id: 'PLAST', result: { error: { key: 'quantity_exceeded' } } }],
    });
    expect(failed).toEqual([['PLAST', null, 'no_applicable_redeemables', false]]);
  });
});

describe('a claim whose answer was lost', () => {
  it('is taken again under another id, which replaces the first', async () => {
    fixture.campaigns.add(redeemable('ONCE', { redemption: { quantity: 1, redeemed_quantity: 0 } }));
    const taken = fixture.campaigns.claim;
    const claim = jest.spyOn(fixture.campaigns, 'claim').mockImplementationOnce(async (context, request) => {
      await taken(context, request);
      throw new Fault('unavailable', 'the answer was lost');
    });
    const answer = await redeem({ redeemables: vouchers('ONCE') });
    claim.mockRestore();
    expect(answer).toMatchObject({ redemptions: [{ voucher: { redemption: { redeemed_quantity: 1 } } }] });
    await drained();
    expect(fixture.campaigns.redeemed('ONCE')).toBe(1);
    const states = [...fixture.campaigns.claims.rows.values()].filter(
      ({ object_id }) => object_id === 'v_once',
    );
    expect(states.map(({ state }) => state)).toEqual(['REVERTED', 'CONFIRMED']);
    const [outcome] = await rows<{ claims: string[] }>(
      'SELECT claims FROM redemption_outcomes WHERE redemption_id = $1',
      states[0]!.redemption_id,
    );
    expect(outcome!.claims).toHaveLength(1); // the replaced one is never listed
  });

  it('is abandoned when no answer ever comes, and what was taken is reverted', async () => {
    fixture.campaigns.add(redeemable('DEAF'));
    const taken = fixture.campaigns.claim;
    const claim = jest.spyOn(fixture.campaigns, 'claim').mockImplementation(async (context, request) => {
      await taken(context, request);
      throw new Fault('unavailable', 'the answer was lost');
    });
    await expect(redeem({ redeemables: vouchers('DEAF') })).rejects.toThrow(Fault);
    claim.mockRestore();
    await drained();
    expect(fixture.campaigns.redeemed('DEAF')).toBe(0);
    expect(
      (await recorded('SUCCEEDED')).filter(({ related_object_id }) => related_object_id === 'v_deaf'),
    ).toEqual([]);
  });
});

it('answers 503, and redeems nothing, when an owner had the redemption abandoned before it was recorded', async () => {
  fixture.campaigns.add(redeemable('LATE'));
  const taken = fixture.campaigns.claim;
  const claim = jest.spyOn(fixture.campaigns, 'claim').mockImplementationOnce(async (context, request) => {
    const claimed = await taken(context, request);
    const outcomes = await fixture.get(Outcomes).resolve([request.redemption_id]);
    expect(outcomes).toMatchObject([{ verdict: 'ABANDONED' }]);
    return claimed;
  });
  await expect(redeem({ redeemables: vouchers('LATE') })).rejects.toMatchObject({ kind: 'unavailable' });
  claim.mockRestore();
  await drained();
  expect(fixture.campaigns.redeemed('LATE')).toBe(0);
  expect(
    (await recorded('SUCCEEDED')).filter(({ related_object_id }) => related_object_id === 'v_late'),
  ).toEqual([]);
});

it('gives an owner who asks too early the verdict of the redemption under way', async () => {
  fixture.campaigns.add(redeemable('ASKED'));
  const taken = fixture.campaigns.claim;
  let answered: Promise<unknown> | undefined;
  const claim = jest.spyOn(fixture.campaigns, 'claim').mockImplementationOnce(async (context, request) => {
    answered = fixture.get(Outcomes).resolveAfterWaiting([request.redemption_id]);
    // An answer that does not wait comes before the claim.
    await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, 100))]);
    return taken(context, request);
  });
  expect(isRefused(await redeem({ redeemables: vouchers('ASKED') }))).toBe(false);
  claim.mockRestore();
  expect(await answered).toMatchObject([{ verdict: 'RECORDED' }]);
});

describe('many at once', () => {
  it('redeems a limit of 10 ten times for 50 callers, and records the others as failed', async () => {
    fixture.campaigns.add(redeemable('TENUSES', { redemption: { quantity: 10, redeemed_quantity: 0 } }));
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => redeem({ redeemables: vouchers('TENUSES') })),
    );
    const refused = answers.filter(isRefused);
    expect(refused.map(({ refused: key }) => key)).toEqual(Array(40).fill('quantity_exceeded'));
    expect(new Set(refused.map(({ resourceId }) => resourceId)).size).toBe(40);
    await drained();
    expect(fixture.campaigns.redeemed('TENUSES')).toBe(10);
    const [count] = await rows<{ results: string[] }>(
      `SELECT array_agg(result ORDER BY result DESC) AS results FROM redemptions WHERE voucher_code = 'TENUSES'`,
    );
    expect(count!.results).toEqual([...Array(10).fill('SUCCESS'), ...Array(40).fill('FAILURE')]);
  });
});
