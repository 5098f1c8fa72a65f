import { Secret, isRefused } from '@scrip/kernel';
import { type QualificationFixture, startQualification } from '../qualification.fixture';
import { type QualificationCall, parseQualificationRequest } from '../qualifying/qualification-request';
import { QualifyHandlers } from '../qualifying/qualify.handlers';
import { amount, call, project, redeemable } from '../redeemables.fixture';
import type { RedeemablesRequest } from '../request/redeemables-request';
import { SettlementPusher } from '../settlement/settlement';
import { purposeRing } from '@scrip/service';
import { trackingIds, trackingIdsPurpose } from '@scrip/wire/qualification';
import { ValidateHandlers } from '../validation/validate.handlers';
import { BrowserVouchersHttp } from '../legacy/browser-vouchers.http';
import { RedeemHandlers } from './redeem.handlers';

// A browser's key is known to everybody who opens the shop: what it reaches, anybody reaches.
describe('calls from browsers', () => {
  let fixture: QualificationFixture;
  const masterKey = new Secret(Buffer.alloc(32, 7).toString('base64'));
  const tracking = trackingIds(purposeRing({ masterKey }, trackingIdsPurpose));
  const proofOf = (identity: string) => tracking.encode(project.id, identity);

  const browser = () => call({ channel: 'CLIENT_API', apiKey: { id: 'app_web', name: 'Browser' } });
  const validate = (request: RedeemablesRequest) =>
    fixture.get(ValidateHandlers).validate(browser(), request);
  const redeem = (request: RedeemablesRequest) => fixture.get(RedeemHandlers).redeem(browser(), request);
  const drained = () => fixture.get(SettlementPusher).drained();
  const redeemables = [{ object: 'voucher' as const, id: 'OFF' }];

  const secret = { name: 'Ada Lovelace', email: 'ada@example.com', metadata: { vip: true } };
  let orderId: string;

  beforeAll(async () => {
    fixture = await startQualification('browser');
    fixture.campaigns.add(redeemable('OFF', { discount: amount(100) }));
    await fixture.get(RedeemHandlers).redeem(call(), {
      redeemables,
      customer: { source_id: 'ada', ...secret },
      order: {
        source_id: 'cart-ada',
        status: 'CREATED',
        items: [{ product_id: 'prod_secret', price: 5000, quantity: 1 }],
        metadata: { note: 'private' },
      },
    });
    await drained();
    [orderId] = [...fixture.customers.orders.keys()] as [string];
  });
  afterAll(() => fixture.stop());

  const stored = () => fixture.customers.orders.get(orderId)!;
  const privateTexts = ['Lovelace', 'ada@example.com', 'vip', 'prod_secret', 'private', 'cust_'];
  const expectNothingPrivate = (answer: unknown) => {
    for (const text of privateTexts) expect(JSON.stringify(answer)).not.toContain(text);
  };

  const strangers: Record<string, Partial<RedeemablesRequest>> = {
    'nobody is named': {},
    'the customer is named by source id': { customer: { source_id: 'ada' } },
    'the tracking id is the identity itself': { tracking_id: 'ada' },
    'another identity is proven': { tracking_id: proofOf('bob') },
    'the proof is of another project': { tracking_id: tracking.encode('proj_2', 'ada') },
  };

  /** Whether a call had a draft settled that shows on the order. */
  const settledBy = async (call: () => Promise<unknown>): Promise<boolean> => {
    const { loadOrder } = fixture.customers;
    let hasSettled = false;
    const loading = jest
      .spyOn(fixture.customers, 'loadOrder')
      .mockImplementation(async (context, request) => {
        hasSettled ||= request.settle ?? false;
        const found = await loadOrder(context, request);
        return found === null || isRefused(found) || request.settle
          ? found
          : { ...found, after: 'claim_left' };
      });
    await call();
    loading.mockRestore();
    return hasSettled;
  };

  describe.each(Object.entries(strangers))('where %s', (_name, who) => {
    it("refuse an order's id like an unknown one", async () => {
      const answers = [
        await validate({ redeemables, order: { id: orderId }, ...who }),
        await redeem({ redeemables, order: { id: orderId, status: 'PAID' }, ...who }),
      ];
      const unknown = await validate({ redeemables, order: { id: 'ord_unknown' }, ...who });
      for (const answer of answers) {
        expect(JSON.stringify(answer)).toBe(JSON.stringify(unknown).replaceAll('ord_unknown', orderId));
      }
    });

    it("validate with what was sent beside an order's source id", async () => {
      const answer = await validate({ redeemables, order: { source_id: 'cart-ada', amount: 1000 }, ...who });
      expect(answer).toMatchObject({ valid: true, order: { amount: 1000, total_amount: 900 } });
      expect(answer).not.toHaveProperty('order.id');
      expectNothingPrivate(answer);
    });

    it('redeem nothing on it, and do not change it', async () => {
      const before = JSON.stringify(stored());
      const answer = await redeem({
        redeemables,
        order: { source_id: 'cart-ada', amount: 1000, status: 'PAID' },
        ...who,
      });
      expect(answer).toMatchObject({ refused: 'invalid_order' });
      expectNothingPrivate(answer);
      await drained();
      expect(JSON.stringify(stored())).toBe(before);
    });

    it('end no redemption of it', async () => {
      expect(await settledBy(() => redeem({ redeemables, order: { source_id: 'cart-ada' }, ...who }))).toBe(
        false,
      );
    });
  });

  it('of its customer have settled what an earlier redemption left on it', async () => {
    const ada = { tracking_id: proofOf('ada') };
    expect(await settledBy(() => validate({ redeemables, order: { id: orderId }, ...ada }))).toBe(false);
    expect(await settledBy(() => redeem({ redeemables, order: { id: orderId }, ...ada }))).toBe(true);
  });

  it('are not told a tracking id, which would prove the identity that they named', async () => {
    const answer = await validate({ redeemables, customer: { source_id: 'ada' } });
    expect(answer).not.toHaveProperty('tracking_id');
    expect(JSON.stringify(answer)).not.toContain('track_');
  });

  describe('that name two customers', () => {
    const twice = { redeemables, customer: { source_id: 'cleo' }, tracking_id: 'dido' };
    const ambiguous = {
      refused: 'ambiguous_tracking_id',
      details: 'Property .tracking_id must name the customer of .customer.source_id',
    };

    it.each<[string, Partial<RedeemablesRequest>]>([
      ['both by themselves', {}],
      ['one by a proof', { customer: { source_id: proofOf('cleo') } }],
      ['both by proofs', { customer: { source_id: proofOf('cleo') }, tracking_id: proofOf('dido') }],
      ['one by a proof of another project', { tracking_id: tracking.encode('proj_2', 'cleo') }],
    ])('are refused, %s, and store neither', async (_name, who) => {
      const before = fixture.customers.customers.size;
      expect(await validate({ ...twice, ...who })).toEqual(ambiguous);
      expect(await redeem({ ...twice, ...who })).toEqual(ambiguous);
      const asked = parseQualificationRequest({ ...twice, redeemables: undefined, ...who });
      expect(await fixture.get(QualifyHandlers).qualify(browser(), asked as QualificationCall)).toEqual(
        ambiguous,
      );
      expect(fixture.customers.customers.size).toBe(before);
    });

    it.each<[string, Partial<RedeemablesRequest>]>([
      ['where it is the same one', { tracking_id: proofOf('cleo') }],
      [
        'where one is named by id, whose source id is not compared',
        { customer: { id: 'cust_none', source_id: 'cleo' } },
      ],
    ])('are not refused %s', async (_name, who) => {
      expect(await validate({ ...twice, ...who })).not.toMatchObject(ambiguous);
    });

    it('redeem for the one of the source id where a server sends them', async () => {
      const redeemed = await fixture.get(RedeemHandlers).redeem(call(), twice);
      expect(redeemed).toMatchObject({
        redemptions: [{ tracking_id: proofOf('cleo'), customer: { source_id: 'cleo' } }],
      });
    });
  });

  it('are told nothing of a stored customer', async () => {
    const answer = await redeem({ redeemables, customer: { source_id: 'ada' }, order: { amount: 1000 } });
    expect(answer).toMatchObject({
      redemptions: [
        {
          status: 'SUCCEEDED',
          customer: null,
          customer_id: null,
          tracking_id: null,
          order: { amount: 1000, customer_id: null, referrer_id: null },
        },
      ],
      order: { amount: 1000, customer_id: null },
    });
    expect(answer).not.toHaveProperty('order.customer');
    expectNothingPrivate(answer);
    expect(JSON.stringify(answer)).not.toContain('track_');
  });

  it('are not told whose referral code they redeem', async () => {
    fixture.campaigns.add(
      redeemable('FRIEND', {
        ...{ is_referral_code: true, holder_id: 'cust_ref', referrer_id: 'cust_ref' },
        publish: { count: 1 },
      }),
    );
    const answer = await redeem({
      redeemables: [{ object: 'voucher', id: 'FRIEND' }],
      customer: { source_id: 'bea' },
      order: { amount: 1000 },
    });
    expect(answer).toMatchObject({
      redemptions: [{ voucher: { code: 'FRIEND', holder_id: null, referrer_id: null } }],
    });
    expectNothingPrivate(answer);
  });

  it.each([
    ['as tracking id', () => ({ tracking_id: proofOf('ada') })],
    ["as the customer's source id", () => ({ customer: { source_id: proofOf('ada') } })],
  ])('reach the order of the customer whose identity they prove, sent %s', async (_name, who) => {
    for (const order of [{ id: orderId }, { source_id: 'cart-ada' }]) {
      expect(await validate({ redeemables, order, ...who() })).toMatchObject({
        valid: true,
        order: { id: orderId, amount: 5000, customer_id: null },
      });
    }
  });

  it('redeem on it, too, and pay it', async () => {
    const answer = await redeem({
      redeemables,
      order: { source_id: 'cart-ada', status: 'PAID' },
      tracking_id: proofOf('ada'),
    });
    expect(answer).toMatchObject({ order: { id: orderId, status: 'PAID', customer_id: null } });
    await drained();
    expect(stored().order.status).toBe('PAID');
    expect(stored().order.customer_id).toMatch(/^cust_/);
  });

  describe('for one voucher', () => {
    const alone = () => fixture.get(BrowserVouchersHttp);
    const validateAlone = (query: object) => alone().validate(browser(), { code: 'OFF', ...query });
    const redeemAlone = (body: object) => alone().redeem(browser(), null, { code: 'OFF' }, body);

    it('are told nothing of a stored customer by a validation', async () => {
      const answer = await validateAlone({ customer: 'ada', amount: '1000' });
      expect(answer).toMatchObject({
        ...{ valid: true, code: 'OFF' },
        order: { amount: 1000, total_amount: 900, customer_id: null, referrer_id: null },
      });
      expectNothingPrivate(answer);
      expect(JSON.stringify(answer)).not.toContain('track_');
    });

    it('are told nothing of him by a redemption', async () => {
      const answer = await redeemAlone({ customer: { source_id: 'ada' }, order: { amount: 1000 } });
      expect(answer).toMatchObject({
        ...{ status: 'SUCCEEDED', customer: null, customer_id: null, tracking_id: null },
        order: { amount: 1000, customer_id: null, referrer_id: null },
        voucher: { code: 'OFF', holder_id: null, referrer_id: null },
      });
      expectNothingPrivate(answer);
      expect(JSON.stringify(answer)).not.toContain('track_');
    });

    it.each(Object.entries(strangers))("reach no order of another's where %s", async (_name, who) => {
      const before = JSON.stringify(stored());
      expect(await redeemAlone({ order: { id: orderId }, ...who })).toMatchObject({ refused: 'not_found' });
      const answer = await redeemAlone({ order: { source_id: 'cart-ada', status: 'PAID' }, ...who });
      expect(answer).toMatchObject({ refused: 'invalid_order' });
      expectNothingPrivate(answer);
      await drained();
      expect(JSON.stringify(stored())).toBe(before);
    });

    it('redeem on the order of the customer whose identity the query proves', async () => {
      const query = { code: 'OFF', tracking_id: proofOf('ada') };
      const answer = await alone().redeem(browser(), null, query, { order: { source_id: 'cart-ada' } });
      expect(answer).toMatchObject({ status: 'SUCCEEDED', order: { id: orderId, customer_id: null } });
      await drained();
    });
  });
});
