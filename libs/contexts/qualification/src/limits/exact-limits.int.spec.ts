import { isRefused, randomIds } from '@scrip/kernel';
import { defaultStackingSettings } from '@scrip/order-calculation';
import { rounds } from '@scrip/testing';
import type { QualificationFixture } from '../qualification.fixture';
import { amount, call, campaignOf, redeemable } from '../redeemables.fixture';
import { RedeemHandlers } from '../redemption/redeem.handlers';
import { RollbackHandlers } from '../rollback/rollback.handlers';
import { RuleHandlers } from '../rule/rule.handlers';
import { ProjectSettings } from '../evaluation/project-settings';
import { ValidateHandlers } from '../validation/validate.handlers';
import { counted, keysOf, redeem, request } from './limited-calls.fixture';
import { type LimitsFixture, assignRule, drift, startLimits, storedRule } from './limits.fixture';

let fixture: LimitsFixture;
let one: QualificationFixture;

beforeAll(async () => {
  fixture = await startLimits('exact_limits');
  ({ one } = fixture);
});

afterAll(() => fixture.stop());

afterEach(async () => {
  await fixture.settled();
  expect(await drift(one)).toEqual([]);
});

const atMost = (name: string, most: number) => ({ name, conditions: { $less_than_or_equal: [most] } });

const successes = (answers: readonly object[]): object[] => answers.filter((answer) => !isRefused(answer));

describe('a campaign limit of 10 and a customer limit of 1', () => {
  it('admit exactly ten of two hundred callers with two hundred codes, one per customer', async () => {
    const callers = Math.max(50, rounds(200));
    const { codes } = fixture.campaign('both', callers);
    const rule = await storedRule(one, {
      name: 'Ten, one each',
      rules: {
        1: atMost('campaign.redemptions.count', 10),
        2: atMost('campaign.redemptions.customers_count', 1),
      },
    });
    await assignRule(one, rule, 'campaign', 'camp_both');
    const answers = await fixture.inBoth(callers, (process, index) =>
      redeem(process, codes[index]!, `both-${index % (callers / 2)}`),
    );
    expect(successes(answers)).toHaveLength(10);
    const customers = await one.dataSource.query<{ customer_id: string }[]>(
      `SELECT customer_id FROM redemptions WHERE result = 'SUCCESS' AND voucher_code = ANY($1)`,
      [codes],
    );
    expect(new Set(customers.map(({ customer_id }) => customer_id)).size).toBe(10);
    await fixture.settled();
    expect(codes.reduce((sum, code) => sum + one.campaigns.redeemed(code), 0)).toBe(10);
  });
});

describe('the logic of a rule', () => {
  it('lets through what another condition allows, however many were counted', async () => {
    fixture.campaign('either');
    const rule = await storedRule(one, {
      name: 'Two, or a large order',
      rules: {
        1: atMost('campaign.redemptions.count', 2),
        2: { name: 'order.amount', conditions: { $more_than_or_equal: [1_000] } },
        logic: '1 or 2',
      },
    });
    await assignRule(one, rule, 'campaign', 'camp_either');
    const small = { ...request(['either-0']), order: { amount: 999 } };
    const answers = await fixture.inBoth(20, (process, index) =>
      index % 2 === 0
        ? redeem(process, 'either-0')
        : process
            .get(RedeemHandlers)
            .redeem(call(), { ...small, order: { ...small.order, source_id: `e-${index}` } }),
    );
    const large = answers.filter((_, index) => index % 2 === 0);
    expect(successes(large)).toHaveLength(10);
    expect(successes(answers).length - 10).toBeLessThanOrEqual(2);
  });

  it('of a code of a campaign counts the code, of the campaign each of its codes by itself', async () => {
    const { codes } = fixture.campaign('apart', 2);
    const twice = await storedRule(one, {
      name: 'Twice each',
      rules: { 1: atMost('redemption.count.per_customer', 2) },
    });
    await assignRule(one, twice, 'campaign', 'camp_apart');
    const once = await storedRule(one, { name: 'Once', rules: { 1: atMost('redemption.count.daily', 1) } });
    await assignRule(one, once, 'voucher', 'v_apart-1', 'camp_apart');
    const answers = await fixture.inBoth(12, (process, index) => redeem(process, codes[index % 2]!, 'ada'));
    expect(successes(answers)).toHaveLength(3);
    await fixture.settled();
    expect(codes.map((code) => one.campaigns.redeemed(code))).toEqual([2, 1]);
  });

  it('changed while fifty callers redeem, decides each by one version and counts all', async () => {
    const { object, codes } = await fixture.limited('altered', 40);
    const wider = fixture.inBoth(50, (process) => redeem(process, codes[0]!, 'ada'));
    const [{ rule_id } = { rule_id: '' }] = await one.dataSource.query<{ rule_id: string }[]>(
      `SELECT rule_id FROM rule_assignments WHERE related_object_id = 'camp_altered'`,
    );
    const body = {
      rules: {
        1: atMost('campaign.redemptions.count', 5),
        2: atMost('campaign.redemptions.customers_count.daily', 5),
      },
    };
    await one.get(RuleHandlers).update(call(), rule_id, body);
    const before = successes(await wider).length;
    expect(before).toBeLessThanOrEqual(40);
    const later = await fixture.inBoth(20, (process) => redeem(process, codes[0]!, 'ada'));
    expect(successes(later)).toHaveLength(Math.max(0, 5 - before));
    expect(await counted(one, object)).toBe(Math.max(before, 5));
  });
});

describe('a budget of gift credits', () => {
  it('is spent by whole redemptions, and never exceeded', async () => {
    const id = 'camp_credits';
    const gift = { amount: 10_000, balance: 10_000, effect: 'APPLY_TO_ORDER' as const };
    one.campaigns.add(
      redeemable(
        'CREDITS',
        { type: 'GIFT_VOUCHER', discount: null, gift, campaign_id: id, campaign: 'credits' } as never,
        campaignOf({ id, name: 'credits', campaign_type: 'GIFT_VOUCHERS' }),
      ),
    );
    const rule = await storedRule(one, {
      name: 'Budget',
      rules: { 1: atMost('redemption.gift.amount', 1_000) },
    });
    await assignRule(one, rule, 'campaign', id);
    const answers = await fixture.inBoth(20, (process, index) =>
      process.get(RedeemHandlers).redeem(call(), {
        redeemables: [{ object: 'voucher', id: 'CREDITS', gift: { credits: 300 } }],
        order: { source_id: `credits-${index}`, amount: 5_000 },
      }),
    );
    expect(successes(answers)).toHaveLength(3);
    expect(keysOf(answers)).toEqual(Array(17).fill('redemption_rules_violated'));
  });
});

describe('a unit budget', () => {
  const bounded = async (name: string, included: object) => {
    const own = fixture.campaign(name, 2);
    for (const code of own.codes)
      one.campaigns.add(
        redeemable(
          code,
          {
            discount: amount(100, { effect: 'APPLY_TO_ITEMS_BY_QUANTITY' } as never),
            campaign_id: `camp_${name}`,
            campaign: name,
          },
          campaignOf({ id: `camp_${name}`, name }),
        ),
      );
    const rule = await storedRule(one, {
      name: 'Budget',
      rules: {},
      applicable_to: { included: [included], excluded: [], included_all: false },
    });
    await assignRule(one, rule, 'campaign', `camp_${name}`);
    return own.codes;
  };

  let orders = 0;

  const cart = (codes: readonly string[], quantity: number, customer?: string, product_id = 'prod_cup') => ({
    redeemables: codes.map((id) => ({ object: 'voucher' as const, id })),
    order: { source_id: `units-${(orders += 1)}`, items: [{ product_id, quantity, price: 1_000 }] },
    ...(customer === undefined ? {} : { customer: { source_id: customer } }),
  });

  const buy = (process: QualificationFixture, ...asked: Parameters<typeof cart>) =>
    process.get(RedeemHandlers).redeem(call(), cart(...asked));

  /** Units that the answers took a discount off, of 1.00 each. */
  const unitsIn = (answers: readonly object[]): number[] =>
    successes(answers).map((answer) => {
      const { order } = answer as { order?: { total_discount_amount?: number } };
      return (order?.total_discount_amount ?? 0) / 100;
    });

  const total = (units: readonly number[]): number => units.reduce((sum, one) => sum + one, 0);

  const used = async (name: string): Promise<number[]> => {
    const rows = await one.dataSource.query<{ units: number }[]>(
      `SELECT units::int FROM limit_counters WHERE object LIKE 'units:%' || $1 || '%' ORDER BY 1`,
      [name],
    );
    return rows.map(({ units }) => units);
  };

  it('is used to the last unit by fifty callers, and never exceeded', async () => {
    const codes = await bounded('all-units', {
      object: 'product',
      id: 'prod_cup',
      product_campaign_quantity_limit: 20,
    });
    const answers = await fixture.inBoth(50, (process, index) => buy(process, [codes[index % 2]!], 3));
    const units = unitsIn(answers);
    expect(total(units)).toBe(20);
    expect(units.filter((count) => count > 0).sort()).toEqual([2, 3, 3, 3, 3, 3, 3]);
    expect(await used('all-units')).toEqual([20]);
  });

  it('per customer is of each alone, and needs a customer', async () => {
    const codes = await bounded('own-units', {
      object: 'product',
      id: 'prod_cup',
      product_customer_campaign_quantity_limit: 4,
    });
    const answers = await fixture.inBoth(20, (process, index) =>
      buy(process, [codes[0]!], 3, `own-${index % 2}`),
    );
    expect(total(unitsIn(answers))).toBe(8);
    expect(await used('own-units')).toEqual([4, 4]);
    expect(unitsIn([await buy(one, [codes[0]!], 3)])).toEqual([3]);
    expect(await used('own-units')).toEqual([4, 4]);
  });

  it('of a collection may be of each product', async () => {
    one.catalog.collections.set('pc_cups', new Set(['prod_cup', 'prod_mug']));
    for (const id of ['prod_cup', 'prod_mug']) one.catalog.add({ source_id: id, id } as never);
    const codes = await bounded('product-units', {
      object: 'products_collection',
      id: 'pc_cups',
      product_in_collection_campaign_quantity_limit: 5,
    });
    const answers = await fixture.inBoth(20, (process, index) =>
      buy(process, [codes[0]!], 3, undefined, index % 2 ? 'prod_cup' : 'prod_mug'),
    );
    expect(total(unitsIn(answers))).toBe(10);
    expect(await used('product-units')).toEqual([5, 5]);
  });

  it('is shared by the redeemables of one request, shown by a validation, and given back by a rollback', async () => {
    const codes = await bounded('stacked-units', {
      object: 'product',
      id: 'prod_cup',
      product_campaign_quantity_limit: 5,
    });
    const answer = (await buy(one, codes, 3)) as { parent_redemption: { id: string } };
    expect(unitsIn([answer])).toEqual([5]);
    expect(await used('stacked-units')).toEqual([5]);
    const validate = () => one.get(ValidateHandlers).validate(call(), cart([codes[0]!], 3));
    expect(await validate()).not.toHaveProperty('order.total_discount_amount');
    await fixture.settled();
    await one.get(RollbackHandlers).rollBackStack(call(), answer.parent_redemption.id, {}, randomIds);
    expect(await used('stacked-units')).toEqual([0]);
    expect(await validate()).toHaveProperty('order.total_discount_amount', 300);
  });
});

describe('PARTIAL redeeming', () => {
  it('goes on without what a customer limit refuses at the last moment', async () => {
    const { codes } = await fixture.limited('partial', 1, { rule: 'redemption.count.per_customer' });
    const free = fixture.campaign('partial-free');
    const settings = { ...defaultStackingSettings, redeemables_application_mode: 'PARTIAL' as const };
    const spies = [one, fixture.other].map((process) =>
      jest.spyOn(process.get(ProjectSettings), 'stackingOf').mockResolvedValue(settings),
    );
    const answers = await fixture.inBoth(10, (process) =>
      redeem(process, [codes[0]!, free.codes[0]!], 'ada'),
    );
    for (const spy of spies) spy.mockRestore();
    const redeemed = answers.map((answer) => (answer as { redemptions: object[] }).redemptions.length);
    expect(redeemed.sort()).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 2]);
  });
});
