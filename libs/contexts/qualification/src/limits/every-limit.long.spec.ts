import { isRefused } from '@scrip/kernel';
import { unitBudgetLimits } from '@scrip/order-calculation';
import type { QualificationFixture } from '../qualification.fixture';
import { amount, call, campaignOf, promotionOf, redeemable, tierOf } from '../redeemables.fixture';
import { RedeemHandlers } from '../redemption/redeem.handlers';
import { type LimitsFixture, assignRule, drift, startLimits, storedRule } from './limits.fixture';

type Request = Parameters<RedeemHandlers['redeem']>[1];
type Named = Request['redeemables'][number];

let fixture: LimitsFixture;
let one: QualificationFixture;

beforeAll(async () => {
  fixture = await startLimits('every_limit');
  ({ one } = fixture);
  one.catalog.collections.set('pc_cups', new Set(['prod_cup', 'prod_mug']));
  for (const id of ['prod_cup', 'prod_mug']) one.catalog.add({ id, source_id: id });
});

afterAll(() => fixture.stop());

afterEach(async () => {
  await fixture.settled();
  expect(await drift(one)).toEqual([]);
});

/** Moves the clocks of both processes. The project lives in Warsaw, two hours ahead of UTC in summer. */
const itIs = (iso: string): void => {
  for (const process of [one, fixture.other]) process.clock.moveTo(iso);
};

const wednesday = '2026-06-17T10:00:00.000Z';
/** The last instant that a limit of the period does not count on that Wednesday, and the first that it counts. */
const bounds: Readonly<Record<string, readonly [before: string | null, first: string]>> = {
  daily: ['2026-06-16T21:59:59.999Z', '2026-06-16T22:00:00.000Z'],
  weekly: ['2026-06-14T21:59:59.999Z', '2026-06-14T22:00:00.000Z'],
  monthly: ['2026-05-31T21:59:59.999Z', '2026-05-31T22:00:00.000Z'],
  'since ever': [null, '2026-01-02T00:00:00.000Z'],
};

let orders = 0;

/** Redeems in an order of 10.00; `caller` tells customers, and keys or members apart. */
const redeem = (process: QualificationFixture, named: Named, caller: number, isMember: boolean) =>
  process
    .get(RedeemHandlers)
    .redeem(
      call(
        isMember
          ? { apiKey: null, user: { id: `user-${caller}`, login: `member-${caller}` } }
          : { apiKey: { id: `key-${caller}`, name: 'Shop' } },
      ),
      {
        redeemables: [named],
        order: { source_id: `every-${(orders += 1)}`, amount: 1_000 },
        customer: { source_id: `every-${caller}` },
      },
    );

const code = (id: string, campaign: string, more: object = { discount: amount(100) }): Named => {
  const own = { campaign_id: campaign, campaign, ...more };
  one.campaigns.add(redeemable(id, own, campaignOf({ id: campaign, name: campaign })));
  return { object: 'voucher', id };
};
const giftCard = (id: string, campaign: string): Named => {
  const gift = { amount: 100_000, balance: 100_000, effect: 'APPLY_TO_ORDER' as const };
  return { ...code(id, campaign, { type: 'GIFT_VOUCHER', discount: null, gift }), gift: { credits: 100 } };
};
const tier = (id: string, campaign_id: string, discount = amount(100)): Named => {
  one.promotions.add({
    promotion_tier: tierOf(id, { campaign_id, discount }),
    campaign: promotionOf({ id: campaign_id, name: campaign_id }),
  });
  return { object: 'promotion_tier', id };
};

const kinds = { code, tier, 'gift card': giftCard };
const everyPeriod = ['since ever', 'daily', 'weekly', 'monthly'];

/** Every rule of reference 02 §3.3: its periods, what three redemptions of 10.00 with 1.00 off come to, and which callers it tells
 *  apart. */
const families: readonly (readonly [name: string, periods: string[], three: number, isOfEach: boolean])[] = [
  ['campaign.redemptions.count', everyPeriod, 3, false],
  ['campaign.redemptions.customers_count', everyPeriod, 3, true],
  ['redemption.count', ['daily', 'weekly', 'monthly'], 3, false],
  ['redemption.count.per_customer', everyPeriod, 3, true],
  ['redemption.count.per_api_key', ['since ever'], 3, true],
  ['redemption.count.per_user', ['since ever'], 3, true],
  ['campaign.orders.amount', ['since ever'], 3_000, false],
  ['campaign.orders.amount_discounted', ['since ever'], 300, false],
  ['redemption.gift.amount', ['since ever'], 300, false],
];

const limits = families.flatMap(([name, periods, three, isOfEach]) =>
  (name === 'redemption.gift.amount' ? (['gift card'] as const) : (['code', 'tier'] as const)).flatMap(
    (kind) =>
      periods.map((period) => ({
        rule: period === 'since ever' ? name : `${name}.${period}`,
        ...{ period, kind, three, isOfEach },
      })),
  ),
);

it.each(limits)(
  '$rule admits twelve callers of a $kind up to its limit, and counts nothing of an earlier period',
  async ({ rule, period, kind, three, isOfEach }) => {
    const place = limits.findIndex((limit) => limit.rule === rule && limit.kind === kind);
    const campaign = `camp_every_${place}`;
    const named = kinds[kind](`${kind === 'tier' ? 'promo' : 'code'}_every_${place}`, campaign);
    const isMember = rule.includes('per_user');
    const condition = { name: rule, conditions: { $less_than_or_equal: [three] } };
    await assignRule(
      one,
      await storedRule(one, { name: rule, rules: { 1: condition } }),
      'campaign',
      campaign,
    );
    const [before, first] = bounds[period]!;
    for (const at of before ? [before, before, before, first] : [first]) {
      itIs(at);
      expect(await redeem(one, named, 0, isMember)).not.toHaveProperty('refused');
    }
    itIs(wednesday);
    const answers = await fixture.inBoth(12, (process, caller) =>
      redeem(process, named, (caller >> 1) % 2, isMember),
    );
    const admitted = answers.filter((answer) => !isRefused(answer));
    // The first caller had one of the period already.
    expect(admitted).toHaveLength(isOfEach ? 2 + 3 : 2);
    expect(answers.flatMap((answer) => (isRefused(answer) ? [answer.refused] : []))).toEqual(
      Array(12 - admitted.length).fill('redemption_rules_violated'),
    );
  },
);

it.each(unitBudgetLimits.map((limit, place) => [limit, place] as const))(
  '%s is used to the last unit, of each of what it tells apart',
  async (limit, place) => {
    const campaign = `camp_units_${place}`;
    const discount = amount(100, { effect: 'APPLY_TO_ITEMS_BY_QUANTITY' } as never);
    const tiers = ['a', 'b'].map((name) => tier(`promo_units_${place}_${name}`, campaign, discount));
    const [ofTier, ofCustomer, ofProduct] = ['_tier_', '_customer_', '_in_collection_'].map((part) =>
      limit.includes(part),
    );
    const item = ofProduct
      ? { object: 'products_collection', id: 'pc_cups' }
      : { object: 'product', id: 'prod_cup' };
    const rule = await storedRule(one, {
      name: limit,
      rules: {},
      applicable_to: { included: [{ ...item, [limit]: 4 }], excluded: [], included_all: false },
    });
    await assignRule(one, rule, 'campaign', campaign);
    // Each tier, customer and product by three callers, who ask for three units.
    const answers = await fixture.inBoth(24, (process, caller) => {
      const [ofTiers, customer, product] = [(caller >> 1) % 2, (caller >> 2) % 2, caller >> 3];
      return process.get(RedeemHandlers).redeem(call(), {
        redeemables: [tiers[ofTiers]!],
        customer: { source_id: `units-${customer}` },
        order: {
          source_id: `units-${(orders += 1)}`,
          items: [
            { product_id: ofProduct && product === 1 ? 'prod_mug' : 'prod_cup', quantity: 3, price: 1_000 },
          ],
        },
      });
    });
    const units = answers.map(
      (answer) =>
        ((answer as { order?: { total_discount_amount?: number } }).order?.total_discount_amount ?? 0) / 100,
    );
    const apart = [ofTier, ofCustomer, ofProduct].filter(Boolean).length;
    expect(units.reduce((sum, count) => sum + count, 0)).toBe(4 * 2 ** apart);
    const counted = await one.dataSource.query<{ units: number }[]>(
      `SELECT units::int FROM limit_counters WHERE object LIKE 'units:' || $1 || ' %' AND units > 0`,
      [limit],
    );
    expect(counted.map((row) => row.units)).toEqual(Array(2 ** apart).fill(4));
  },
);
