import { isRefused, newId } from '@scrip/kernel';
import { waitUntil } from '@scrip/testing';
import { AssignmentHandlers } from '../assignment/assignment.handlers';
import { type QualificationFixture, startQualification } from '../qualification.fixture';
import { call, campaignOf, customerOf, percent, redeemable } from '../redeemables.fixture';
import { RedeemHandlers } from '../redemption/redeem.handlers';
import { RuleHandlers } from '../rule/rule.handlers';
import { ValidateHandlers } from '../validation/validate.handlers';

type Json = Record<string, any>;
type Request = Parameters<ValidateHandlers['validate']>[1];

let fixture: QualificationFixture;

beforeAll(async () => {
  fixture = await startQualification('rules_in_requests');
  fixture.customers.customers.set('cust_vip', customerOf('vip'));
  fixture.customers.customers.set('cust_ada', customerOf('ada'));
  fixture.customers.segments.set('seg_vip', new Set(['cust_vip']));
  fixture.catalog.add({ id: 'prod_lamp', source_id: 'lamp', price: 5_000 });
  fixture.catalog.add({ id: 'prod_vase', source_id: 'vase', price: 2_000 });
  fixture.catalog.collections.set('pc_light', new Set(['prod_lamp']));
});

afterAll(() => fixture?.stop());

beforeEach(() => {
  fixture.catalog.calls.length = 0;
  fixture.customers.matchedSegments.length = 0;
});

const ruleOf = async (definition: Json): Promise<string> => {
  const created = await fixture
    .get(RuleHandlers)
    .create(call(), newId('val_'), { name: 'Rule', ...definition });
  if (isRefused(created)) throw new Error(created.details);
  return created.rule.id;
};

const assigned = async (rule_id: string, type: 'voucher' | 'campaign', related_object_id: string) => {
  const assignment = { id: newId('asgm_'), rule_id, related_object_type: type, related_object_id };
  const done = await fixture.get(AssignmentHandlers).assign(call(), { ...assignment, campaign_id: null });
  if (isRefused(done)) throw new Error(done.details);
};

let last = 0;

/** A voucher with rules of its own. */
const coupon = async (definition: Json | null, percentOff = 10): Promise<string> => {
  const code = `RULED${(last += 1)}`;
  fixture.campaigns.add(redeemable(code, { discount: percent(percentOff) }));
  if (definition) await assigned(await ruleOf(definition), 'voucher', `v_${code.toLowerCase()}`);
  return code;
};

const named = (...codes: string[]): Request['redeemables'] =>
  codes.map((id) => ({ object: 'voucher' as const, id }));

const validate = async (request: Request): Promise<Json> =>
  (await fixture.get(ValidateHandlers).validate(call(), request)) as Json;

const vip = (error: Json = {}) => ({
  1: { name: 'customer.segment', conditions: { $is: ['seg_vip'] }, ...error },
});

describe('a rule about the customer', () => {
  it.each([
    ['a member of the segment', { id: 'cust_vip' }, null],
    ['somebody else', { id: 'cust_ada' }, 'customer_rules_violated'],
    ['a customer who is not stored', { source_id: 'nobody' }, 'customer_rules_violated'],
    ['nobody', undefined, 'missing_customer'],
  ])('judges %s', async (_, customer, key) => {
    const code = await coupon({ rules: vip() });
    const { valid, redeemables } = await validate({
      redeemables: named(code),
      ...(customer && { customer }),
    });
    expect([valid, redeemables[0].result.error?.key ?? null]).toEqual([key === null, key]);
  });

  it('says which rules were violated, and what the shop has to say of it', async () => {
    const code = await coupon({ rules: vip({ error: { message: 'VIPs only' } }) });
    const { redeemables } = await validate({ redeemables: named(code), customer: { id: 'cust_ada' } });
    expect(redeemables[0].result).toEqual({
      error: {
        code: 400,
        key: 'customer_rules_violated',
        message: 'customer does not match validation rules',
        details: expect.stringMatching(
          /^Discount Coupon cannot be redeemed because of violated validation rules: val_/,
        ),
        request_id: call().requestId,
        error: { message: 'VIPs only' },
      },
      details: { message: 'VIPs only', key: 'customer_rules_violated' },
    });
  });

  it('asks for the segments that rules name, once, and for none where no rule names any', async () => {
    const codes = [await coupon({ rules: vip() }), await coupon({ rules: vip() }), await coupon(null)];
    await validate({ redeemables: named(...codes), customer: { id: 'cust_vip' } });
    expect(fixture.customers.matchedSegments).toEqual([['seg_vip']]);
    await validate({ redeemables: named(codes[2]!), customer: { id: 'cust_vip' }, order: { amount: 100 } });
    expect(fixture.customers.matchedSegments).toHaveLength(1);
    expect(fixture.catalog.calls.filter((one) => one.startsWith('matchCollections'))).toEqual([]);
  });
});

describe('rules of a campaign', () => {
  it('hold for its vouchers beside their own', async () => {
    const code = await coupon({ rules: { 1: { name: 'order.amount', conditions: { $more_than: [100] } } } });
    const found = fixture.campaigns.vouchers.get(`v_${code.toLowerCase()}`)!;
    found.voucher.campaign_id = 'camp_ruled';
    found.campaign = campaignOf({ id: 'camp_ruled' });
    await assigned(await ruleOf({ rules: vip() }), 'campaign', 'camp_ruled');
    const keyOf = async (amount: number, customer: string) => {
      const { redeemables } = await validate({
        redeemables: named(code),
        order: { amount },
        customer: { id: customer },
      });
      return redeemables[0].result.error?.key;
    };
    expect(await keyOf(200, 'cust_vip')).toBeUndefined();
    expect(await keyOf(100, 'cust_vip')).toBe('order_rules_violated');
    expect(await keyOf(200, 'cust_ada')).toBe('customer_rules_violated');
  });
});

describe('a rule about the order', () => {
  it('sees what is left at its turn: reference 03 §4.6, example 5', async () => {
    const plain = await coupon(null, 10);
    const ruled = await coupon(
      { rules: { 1: { name: 'order.amount', conditions: { $more_than: [10_000] } } } },
      20,
    );
    const order = { amount: 10_500 };
    const later = await validate({ redeemables: named(plain, ruled), order });
    expect([later.valid, later.inapplicable_redeemables[0].result.error.key]).toEqual([
      false,
      'order_rules_violated',
    ]);
    const sooner = await validate({ redeemables: named(ruled, plain), order });
    expect(sooner.order).toMatchObject({ total_amount: 7_560, total_discount_amount: 2_940 });
  });

  it('sees what comes of it', async () => {
    const code = await coupon(
      { rules: { 1: { name: 'order.total_amount', conditions: { $more_than_or_equal: [900] } } } },
      10,
    );
    expect((await validate({ redeemables: named(code), order: { amount: 1_000 } })).valid).toBe(true);
    expect((await validate({ redeemables: named(code), order: { amount: 999 } })).valid).toBe(false);
  });

  it('bounds a discount of items to the collection that its scope names', async () => {
    const code = `SCOPED${(last += 1)}`;
    const discount = { type: 'PERCENT', percent_off: 50, effect: 'APPLY_TO_ITEMS' } as const;
    fixture.campaigns.add(redeemable(code, { discount }));
    const included = [{ object: 'products_collection', id: 'pc_light' }];
    await assigned(await ruleOf({ applicable_to: { included } }), 'voucher', `v_${code.toLowerCase()}`);
    const answer = await validate({
      redeemables: named(code),
      order: {
        items: [
          { product_id: 'prod_lamp', quantity: 1 },
          { product_id: 'prod_vase', quantity: 1 },
        ],
      },
    });
    expect(answer.order.items.map((item: Json) => item.discount_amount ?? 0)).toEqual([2_500, 0]);
    expect(answer.redeemables[0].applicable_to.data).toMatchObject([
      { object: 'products_collection', id: 'pc_light', strict: false },
      { object: 'product', id: 'prod_lamp', strict: true, order_item_indices: [0] },
    ]);
    expect(fixture.catalog.calls).toEqual(['resolveItems', 'matchCollections pc_light']);
  });

  it('knows what lines of a stored order sell', async () => {
    const code = await coupon({
      rules: {
        1: { name: 'order.items.any', conditions: { $is: [{ object: 'product', id: 'prod_lamp' }] } },
      },
    });
    const order = { source_id: `stored-${last}`, items: [{ product: { source_id: 'lamp' }, price: 100 }] };
    const redeem = (request: Request) => fixture.get(RedeemHandlers).redeem(call(), request, null);
    expect(isRefused(await redeem({ redeemables: named(await coupon(null)), order }))).toBe(false);
    await waitUntil(() => fixture.customers.orders.size > 0, { what: 'the order to be stored' });
    const later = await validate({ redeemables: named(code), order: { source_id: order.source_id } });
    expect(later.valid).toBe(true);
  });
});

describe('a redemption', () => {
  it('is refused and recorded with the text of the rule, and takes nothing', async () => {
    const code = await coupon({ rules: vip({ error: { message: 'VIPs only' } }) });
    const request = { redeemables: named(code), customer: { id: 'cust_ada' } };
    const refused = (await fixture.get(RedeemHandlers).redeem(call(), request, null)) as Json;
    expect(refused).toEqual({
      refused: 'customer_rules_violated',
      details: expect.stringContaining('val_') as string,
      error: { message: 'VIPs only' },
      resourceId: expect.stringMatching(/^rf_/) as string,
      resourceType: 'redemption',
      redeemable_id: code,
      redeemable_type: 'voucher',
    });
    expect(fixture.campaigns.redeemed(code)).toBe(0);
    const allowed = { redeemables: named(code), customer: { id: 'cust_vip' } };
    expect(isRefused(await fixture.get(RedeemHandlers).redeem(call(), allowed, null))).toBe(false);
    expect(fixture.campaigns.redeemed(code)).toBe(1);
  });

  it('obeys a changed rule from the next request on', async () => {
    const code = await coupon(null);
    const rule = await ruleOf({ rules: vip() });
    await assigned(rule, 'voucher', `v_${code.toLowerCase()}`);
    const request = { redeemables: named(code), customer: { id: 'cust_ada' } };
    expect((await validate(request)).valid).toBe(false);
    await fixture.get(RuleHandlers).update(call(), rule, { rules: { logic: '' } });
    expect((await validate(request)).valid).toBe(true);
  });
});
