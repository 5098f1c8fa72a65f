import { Catalogue, type Discount } from '@scrip/order-calculation';
import { amountOff, candidate, cart, customer, requestOf, rule } from '../preview.fixture';
import type { EvaluationRequest } from '../request/evaluation-request';
import { type Qualified, type QualifyingCandidate, qualify, qualifyStack } from './qualify';
import { type Scenario, scenarios } from './scenario';

const book = { product_id: 'prod_book', price: 1500 };
const catalogue = new Catalogue({
  products: [
    { id: 'prod_b', collections: ['pc_brand'] },
    { id: 'prod_book', collections: ['pc_books'] },
  ],
});
const mixed = cart([{ product_id: 'prod_b', price: 10_000 }, book], catalogue);

const held = { name: 'publication.redeemable_by_linked_customer', conditions: { $is: [true] } };
const vips = { name: 'customer.segment', conditions: { $is: ['seg_vip'] } };
const only = (id: string) => ({ applicable_to: { included: [{ object: 'products_collection', id }] } });
const percent = (off: number, effect: 'APPLY_TO_ORDER' | 'APPLY_TO_ITEMS'): { discount: Discount } => ({
  discount: { type: 'PERCENT', percent_off: off, effect },
});

type Setting = Partial<Omit<EvaluationRequest, 'context'>> & Partial<EvaluationRequest['context']>;

const of = (one: QualifyingCandidate, scenario: Scenario, setting: Setting = {}): Qualified | null =>
  qualify(one, requestOf([], { order: mixed, ...setting }), scenarios[scenario]);

const vip = { ...customer, segments: ['seg_vip'] };

describe('the worked example of reference 02 §8', () => {
  const offers = (isHeld: boolean): Record<string, QualifyingCandidate> => ({
    T1: candidate('T1', { redeemable: { incentive: percent(10, 'APPLY_TO_ORDER') } }),
    gift: candidate('GIFT', {
      isHeld,
      redeemable: { incentive: { gift: { balance: 2500 } } },
      rules: [rule({ 1: held })],
    }),
    brand: candidate('BRAND', {
      isHeld,
      redeemable: { incentive: percent(10, 'APPLY_TO_ITEMS') },
      rules: [rule({ 1: held }, only('pc_brand'))],
    }),
    T2: candidate('T2', {
      redeemable: { incentive: percent(20, 'APPLY_TO_ITEMS') },
      rules: [rule({ 1: vips }, only('pc_books'))],
    }),
  });
  const qualifying = (scenario: Scenario, who: typeof vip | null, isHeld = who !== null) =>
    Object.fromEntries(
      Object.entries(offers(isHeld)).flatMap(([name, one]) => {
        const found = of(one, scenario, { customer: who });
        return found ? [[name, found.order?.total_applied_discount_amount ?? 0]] : [];
      }),
    );

  it.each<[string, Scenario, typeof vip | null, Record<string, number>]>([
    ['no customer', 'ALL', null, { T1: 1150 }],
    ['a VIP who holds both', 'ALL', vip, { T1: 1150, gift: 2500, brand: 1000, T2: 300 }],
    ['a VIP', 'AUDIENCE_ONLY', vip, { T1: 1150, gift: 2500, brand: 1000, T2: 300 }],
    ['no customer', 'PRODUCTS_DISCOUNT', null, { brand: 1000, T2: 300 }],
    ['a VIP', 'PRODUCTS_DISCOUNT_BY_CUSTOMER', vip, { brand: 1000, T2: 300 }],
    ['another holder', 'PRODUCTS_DISCOUNT_BY_CUSTOMER', { ...vip, segments: [] }, { brand: 1000 }],
  ])('%s in %s', (_, scenario, who, expected) => expect(qualifying(scenario, who)).toEqual(expected));
});

describe('rules', () => {
  const limited = candidate('A', {
    rules: [
      rule({
        1: vips,
        2: { name: 'campaign.redemptions.count', conditions: { $less_than_or_equal: [1] } },
        3: { name: 'order.total_amount', conditions: { $more_than_or_equal: [11_400] } },
      }),
    ],
    counted: () => 99,
  });

  it('that are left out are named (4.5), limits among them', () => {
    expect(of(limited, 'ALL', { customer: vip })?.rules).toEqual([
      { id: 'val_1', status: 'PARTIALLY_VALID', omitted: ['2'] },
    ]);
    expect(of(limited, 'AUDIENCE_ONLY', { customer: vip })?.rules).toEqual([
      { id: 'val_1', status: 'PARTIALLY_VALID', omitted: ['2', '3'] },
    ]);
    expect(of(limited, 'ALL', { customer })).toBeNull();
  });

  it.each([100, 101])('see the order after the discount: %i off 115.00 with at least 114.00 left', (off) => {
    const one = { ...limited, redeemable: { ...limited.redeemable, incentive: amountOff(off) } };
    expect(of(one, 'ALL', { customer: vip }) !== null).toBe(off === 100);
  });

  it('do not matter to what cannot be used', () => {
    expect(of(candidate('A', { unusable: { refused: 'voucher_expired' } }), 'ALL')).toBeNull();
  });
});

describe('a bundle', () => {
  const pairOf = (product: string) =>
    candidate('PAIR', {
      redeemable: { incentive: amountOff(100) },
      rules: [
        rule(
          {},
          {
            bundle_rules: {
              1: {
                name: 'order.items.any',
                conditions: { $is: [{ object: 'product', id: product, type: 'product_or_sku' }] },
                rules: { 1: { name: 'order.items.aggregated_quantity', conditions: { $is: [2] } } },
              },
              limit: 3,
            },
          },
        ),
      ],
    });
  const four = cart([{ product_id: 'prod_cup', price: 1000, quantity: 4 }]);
  const met = { quantity: 2, limit: 3, identified: [{ id: 'prod_cup', item_index: 0, item_quantity: 4 }] };
  const unmet = { quantity: 0, limit: 3, identified: [], missing: [{ id: 'prod_plate', item_quantity: 2 }] };

  it.each<[Scenario, string]>([
    ['ALL', 'prod_cup'],
    ['AUDIENCE_ONLY', 'prod_cup'],
    ['PRODUCTS', 'prod_cup'],
  ])('that is met multiplies the discount in %s', (scenario, product) => {
    const found = of(pairOf(product), scenario, { order: four });
    expect(found).toMatchObject({ result: { bundle: met }, order: { total_applied_discount_amount: 200 } });
  });

  it('that is waived and not met is reported, and the discount is given once', () => {
    const found = of(pairOf('prod_plate'), 'AUDIENCE_ONLY', { order: four });
    expect(found).toMatchObject({
      result: { discount: { amount_off: 100 }, bundle: unmet },
      order: { total_applied_discount_amount: 100 },
      rules: [{ status: 'VALID', omitted: [] }],
    });
  });

  it('that is waived is reported without an order, too', () => {
    expect(of(pairOf('prod_plate'), 'AUDIENCE_ONLY', { order: null })).toMatchObject({
      result: { bundle: unmet },
      order: null,
    });
  });

  it('that is not waived must be met', () =>
    expect(of(pairOf('prod_plate'), 'ALL', { order: four })).toBeNull());

  it('names the lines of its components for PRODUCTS, not for PRODUCTS_DISCOUNT', () => {
    expect(of(pairOf('prod_plate'), 'PRODUCTS', { order: four })).toBeNull();
    expect(of(pairOf('prod_cup'), 'PRODUCTS_DISCOUNT', { order: four })).toBeNull();
  });
});

describe('products decide', () => {
  const withIncentive = (incentive: object, rules: ReturnType<typeof rule>[] = []) =>
    candidate('A', { redeemable: { incentive: incentive as never }, rules });
  const unit = (unitType: string, more: object = {}) => ({
    discount: { type: 'UNIT', unit_off: 1, unit_type: unitType, effect: 'ADD_NEW_ITEMS', ...more },
  });
  const contains = (id: string) =>
    rule({ 1: { name: 'order.items.any', conditions: { $is: [{ object: 'product', id }] } } });

  it.each<[string, object, ReturnType<typeof rule>[], boolean, boolean]>([
    ['an items effect without scope covers all lines', percent(1, 'APPLY_TO_ITEMS'), [], true, true],
    [
      'an items effect with a line in scope',
      percent(1, 'APPLY_TO_ITEMS'),
      [rule({}, only('pc_books'))],
      true,
      true,
    ],
    [
      'an items effect without a line in scope',
      percent(1, 'APPLY_TO_ITEMS'),
      [rule({}, only('pc_x'))],
      false,
      false,
    ],
    [
      'a discount whose scope makes it one of items',
      { discount: { type: 'PERCENT', percent_off: 1 } },
      [rule({}, only('pc_books'))],
      true,
      true,
    ],
    ['a discount of the order', percent(1, 'APPLY_TO_ORDER'), [], false, false],
    [
      'a discount of the order whose rule names a line',
      percent(1, 'APPLY_TO_ORDER'),
      [contains('prod_book')],
      false,
      true,
    ],
    [
      'a discount of the order whose rule names another',
      percent(1, 'APPLY_TO_ORDER'),
      [contains('prod_x')],
      false,
      false,
    ],
    ['a free unit of a line', unit('prod_book'), [], true, true],
    ['a free unit of something else', unit('prod_x'), [], false, false],
    [
      'free units of a collection with a line',
      unit('pc_books', { effect: 'ADD_SAME_ITEMS' }),
      [],
      true,
      true,
    ],
    [
      'several free units, one of a line',
      {
        discount: {
          type: 'UNIT',
          units: [
            { unit_type: 'prod_x', unit_off: 1, effect: 'ADD_NEW_ITEMS' },
            { unit_type: 'prod_book', unit_off: 1, effect: 'ADD_NEW_ITEMS' },
          ],
        },
      },
      [],
      true,
      true,
    ],
    ['a replacement without sources', unit('prod_book', { effect: 'REPLACE_ITEMS' }), [], false, false],
    ['a gift card for items', { gift: { balance: 5, effect: 'APPLY_TO_ITEMS' } }, [], true, true],
    ['a gift card for the order', { gift: { balance: 5 } }, [], false, false],
  ])('on %s', (_, incentive, rules, discounts, concerns) => {
    const one = withIncentive(incentive, rules);
    const setting = { catalogue };
    expect(of(one, 'PRODUCTS_DISCOUNT', setting) !== null).toBe(discounts);
    expect(of(one, 'PRODUCTS', setting) !== null).toBe(concerns);
  });

  it.each([null, cart([])])('on none for an empty cart (11)', (order) => {
    expect(of(withIncentive(percent(1, 'APPLY_TO_ITEMS')), 'PRODUCTS', { order })).toBeNull();
  });
});

describe('cards', () => {
  const loyalty = (locked?: number): QualifyingCandidate => ({
    ...candidate('CARD', { redeemable: { incentive: { reward: null } }, label: 'Loyalty Card' }),
    card: { points: 900, balance: 400, ...(locked === undefined ? {} : { locked }) },
  });

  it.each([
    [undefined, 400],
    [150, 250],
    [401, 0],
  ])('of points need no reward; with %s locked the balance is %i', (locked, balance) => {
    const found = of(loyalty(locked), 'ALL');
    expect(found?.result).toEqual({ loyalty_card: { points: 900, balance } });
    expect(found?.order).toMatchObject({ total_amount: 11_500 });
    expect(found?.order).not.toHaveProperty('total_discount_amount');
  });

  it('of points need no order, and no-effect rules do not pass them over', () => {
    const { settings } = requestOf([]);
    const skipping = { ...settings, redeemables_no_effect_rule: 'SKIP' as const };
    expect(of(loyalty(), 'ALL', { order: null })).toMatchObject({ order: null });
    expect(of(loyalty(), 'ALL', { settings: skipping })).not.toBeNull();
  });

  it('of points obey their rules', () => {
    const one = { ...loyalty(), rules: [rule({ 1: vips })] };
    expect(of(one, 'CUSTOMER_WALLET', { customer })).toBeNull();
    expect(of(one, 'CUSTOMER_WALLET', { customer: vip })).not.toBeNull();
  });

  const gift = (more: object = {}, rules: ReturnType<typeof rule>[] = []) =>
    candidate('GIFT', { redeemable: { incentive: { gift: { balance: 20_000, ...more } } }, rules });

  it.each([
    ['the order', {}, 11_500],
    ['the balance', { balance: 2_500 }, 2_500],
    ['the balance that is not locked', { balance: 2_500, locked: 1_000 }, 1_500],
  ])('of credits show as many as %s has', (_, more, credits) => {
    expect(of(gift(more), 'ALL')?.result).toEqual({
      gift: { balance: { balance: 20_000, ...more }.balance, credits },
    });
  });

  it.each([
    ['an order', {}, null],
    ['an amount', {}, cart([])],
    ['lines', { effect: 'APPLY_TO_ITEMS' }, cart([])],
    ['prices', { effect: 'APPLY_TO_ITEMS' }, cart([{ product_id: 'prod_b' }])],
  ])('of credits qualify without %s, and spend nothing', (_, more, order) => {
    expect(of(gift(more), 'ALL', { order })?.result).toEqual({ gift: { balance: 20_000, credits: 0 } });
  });

  it('of credits obey their rules without an order, too', () => {
    expect(of(gift({}, [rule({ 1: vips })]), 'ALL', { order: null, customer })).toBeNull();
  });
});

describe('a discount without effect', () => {
  const none = candidate('A', { redeemable: { incentive: amountOff(0) } });

  it('is returned, unless no-effect redeemables are skipped', () => {
    const { settings } = requestOf([]);
    expect(of(none, 'ALL')).not.toBeNull();
    expect(of(none, 'ALL', { settings: { ...settings, redeemables_no_effect_rule: 'SKIP' } })).toBeNull();
  });
});

describe('stacks', () => {
  const tier = (id: string, incentive: { discount: Discount }, rules: ReturnType<typeof rule>[] = []) =>
    candidate(id, { redeemable: { object: 'promotion_tier', incentive }, label: 'Promotion Tier', rules });
  const stack = (...tiers: ReturnType<typeof tier>[]) => ({
    object: 'promotion_stack' as const,
    id: 'stack_1',
    tiers,
  });
  const order = cart([{ product_id: 'prod_1', price: 10_000 }]);
  const { settings } = requestOf([]);
  const request = (mode: 'ALL' | 'PARTIAL') =>
    requestOf([], { order, settings: { ...settings, redeemables_application_mode: mode } });
  const tenPercent = tier('promo_1', percent(10, 'APPLY_TO_ORDER'));

  it('accumulate: 10 % and 500 off a cart of 10000 (8)', () => {
    const found = qualifyStack(
      stack(tenPercent, tier('promo_2', amountOff(500))),
      request('ALL'),
      scenarios.PROMOTION_STACKS,
    );
    expect(found?.redeemables.map((one) => one.order?.total_applied_discount_amount)).toEqual([1000, 500]);
    expect(found?.order?.total_amount).toBe(8500);
  });

  it('need every tier in mode ALL, one in mode PARTIAL', () => {
    const one = stack(tenPercent, tier('promo_2', amountOff(500), [rule({ 1: vips })]));
    const none = stack(tier('promo_2', amountOff(500), [rule({ 1: vips })]));
    expect(qualifyStack(one, request('ALL'), scenarios.PROMOTION_STACKS)).toBeNull();
    expect(
      qualifyStack(one, request('PARTIAL'), scenarios.PROMOTION_STACKS)?.redeemables.map(
        ({ candidate: { redeemable } }) => redeemable.id,
      ),
    ).toEqual(['promo_1']);
    expect(qualifyStack(none, request('PARTIAL'), scenarios.PROMOTION_STACKS)).toBeNull();
  });
});
