import { rulesHold } from '../evaluation/evaluate-rules';
import {
  byKey,
  cart,
  contextOf,
  discounted,
  oneRule,
  orderPart,
  quickestMs,
  ruleObject,
  someone,
} from '../rules.fixture';
import { holds } from '../verdicts.fixture';

describe('rules about the customer (3.1)', () => {
  const customer = {
    segments: ['seg_1', 'seg_2'],
    tiers: ['ltr_1'],
    metadata: { tier: 'VIP', address: { city: 'Katowice' }, 'dotted.key': 'a', tags: ['x', 'y'], gone: null },
    holdsVoucher: true,
  };

  it('customer.segment: segments that hold the customer', () => {
    expect(holds('customer.segment', { $is: ['seg_2'] }, { customer })).toBe(true);
    expect(holds('customer.segment', { $is: ['seg_3'] }, { customer })).toBe(false);
    expect(holds('customer.segment', { $is_not: ['seg_3'] }, { customer })).toBe(true);
    expect(holds('customer.segment', { $not_in: ['seg_3', 'seg_1'] }, { customer })).toBe(false);
  });

  it('customer.loyalty_tier: tiers that the customer holds', () => {
    expect(holds('customer.loyalty_tier', { $in: ['ltr_1', 'ltr_2'] }, { customer })).toBe(true);
    expect(holds('customer.loyalty_tier', { $in: ['ltr_2'] }, { customer })).toBe(false);
  });

  it.each([
    ['tier', { $is: ['VIP'] }, true],
    ['tier', { $is: ['vip'] }, false],
    ['address.city', { $is: ['Katowice'] }, true],
    ['address.street', { $is: ['Katowice'] }, false],
    ['address.street', { $is_not: ['Katowice'] }, true],
    ['dotted.key', { $is: ['a'] }, true],
    ['tags', { $is: ['y'] }, true],
    ['tags', { $count: [2] }, true],
    ['gone', { $is_not: ['x'] }, true],
    ['gone', { $is: ['x'] }, false],
    ['constructor', { $count: [0] }, true],
    ['tier.constructor', { $count: [0] }, true],
    ['address.toString.name', { $count: [0] }, true],
    ['tags.length', { $count: [0] }, true],
    ['tags.0', { $count: [0] }, true],
  ])('customer.metadata: %s %j is %j', (property, conditions, expected) => {
    expect(holds('customer.metadata', conditions, { customer }, property)).toBe(expected);
  });

  it('a path of 500,000 names that leads nowhere is given up at once', () => {
    const rule = oneRule('customer.metadata', { $is_not: ['x'] }, { property: 'a.'.repeat(500_000) });
    const context = contextOf({ customer });
    expect(rulesHold([rule], context, 'FULL')).toBe(true);
    expect(quickestMs(() => rulesHold([rule], context, 'FULL'))).toBeLessThan(1);
  });

  it('publication.redeemable_by_linked_customer: whether the requester holds the voucher', () => {
    const name = 'publication.redeemable_by_linked_customer';
    expect(holds(name, { $is: [true] }, { customer })).toBe(true);
    expect(holds(name, { $is: [true] }, { customer: someone })).toBe(false);
  });

  it('a missing customer fails even what absent values satisfy', () => {
    expect(holds('customer.metadata', { $is_not: ['x'] }, {}, 'tier')).toBe(false);
    expect(holds('customer.segment', { $is_not: ['x'] }, {})).toBe(false);
    expect(holds('customer.segment', {}, {})).toBe(false);
    expect(holds('customer.segment', {}, { customer: someone })).toBe(true);
  });
});

describe('rules about amounts and lines (3.1)', () => {
  const order = cart([
    { product: 'prod_1', price: 1000, quantity: 2, metadata: { color: 'red' } },
    { product: 'prod_2', price: 300, quantity: 3, metadata: { color: 'blue' } },
  ]);
  const context = {
    order: orderPart(order, {
      initial: discounted(order, 100),
      before: discounted(order, 400),
      after: discounted(order, 900),
      metadata: { channel: 'web' },
    }),
  };

  it.each([
    ['order.initial_amount', 2800],
    ['order.amount', 2500],
    ['order.total_amount', 2000],
    ['order.items.count', 5],
  ])('%s is %d', (name, value) => {
    expect(holds(name, { $is: [value] }, context)).toBe(true);
    expect(holds(name, { $is: [value + 1] }, context)).toBe(false);
  });

  it('amounts are those sent with the order, not of its lines', () => {
    const sent = { order: orderPart(cart([{ product: 'prod_1', amount: 12000 }], 8000)) };
    expect(holds('order.amount', { $is: [8000] }, sent)).toBe(true);
    expect(holds('order.initial_amount', { $is: [8000] }, sent)).toBe(true);
    const aggregated = ruleObject({
      1: {
        name: 'order.items.any',
        rules: { 1: { name: 'order.items.aggregated_amount', conditions: { $is: [12000] } } },
      },
    });
    expect(rulesHold([aggregated], contextOf(sent), 'FULL')).toBe(true);
  });

  it.each([
    ['order.items.price_any', { $is: [300] }, true],
    ['order.items.price_any', { $is: [301] }, false],
    ['order.items.price_each', { $more_than_or_equal: [300] }, true],
    ['order.items.price_each', { $more_than_or_equal: [301] }, false],
  ])('%s %j is %j', (name, conditions, expected) => {
    expect(holds(name, conditions, context)).toBe(expected);
  });

  it('the price of a line without one is its amount by unit', () => {
    const amounts = { order: orderPart(cart([{ product: 'prod_1', amount: 900, quantity: 2 }])) };
    expect(holds('order.items.price_each', { $is: [450] }, amounts)).toBe(true);
  });

  it.each([
    ['order.items.metadata_any', { $is: ['red'] }, true],
    ['order.items.metadata_any', { $is: ['green'] }, false],
    ['order.items.metadata_each', { $is: ['red'] }, false],
    ['order.items.metadata_each', { $is_not: ['green'] }, true],
    ['order.items.metadata_each', { $in: ['red', 'blue'] }, true],
  ])('%s color %j is %j', (name, conditions, expected) => {
    expect(holds(name, conditions, context, 'color')).toBe(expected);
  });

  it('order.metadata is that of the order', () => {
    expect(holds('order.metadata', { $is: ['web'] }, context, 'channel')).toBe(true);
    expect(holds('order.metadata', { $is_not: ['web'] }, context, 'channel')).toBe(false);
    expect(holds('order.metadata', { $is_not: ['web'] }, {}, 'channel')).toBe(false);
  });

  it.each([
    'order.items.price_any',
    'order.items.price_each',
    'order.items.metadata_any',
    'order.items.metadata_each',
  ])('%s fails on an empty order and without one', (name) => {
    expect(holds(name, { $is_not: [7] }, { order: orderPart(cart([])) }, 'p')).toBe(false);
    expect(holds(name, {}, {}, 'p')).toBe(false);
  });

  it('an empty order has no units, an order without prices amounts to nothing', () => {
    const empty = { order: orderPart(cart([])) };
    expect(holds('order.items.count', { $is: [0] }, empty)).toBe(true);
    expect(holds('order.items.count', { $less_than: [1] }, empty)).toBe(true);
    expect(holds('order.items.count', { $less_than: [1] }, {})).toBe(false);
    const unpriced = { order: orderPart(cart([{ product: 'prod_1' }])) };
    expect(holds('order.amount', { $is: [0] }, unpriced)).toBe(true);
  });

  it('an order without any known amount fails amount rules', () => {
    const unknown = { ...cart([]), amount: undefined, initialAmount: undefined };
    for (const name of ['order.amount', 'order.initial_amount', 'order.total_amount']) {
      expect(holds(name, { $is_not: [5] }, { order: orderPart(unknown, { after: unknown }) })).toBe(false);
    }
  });

  it('the amount after the effect fails where that is not computed', () => {
    expect(holds('order.total_amount', { $is_not: [5] }, { order: orderPart(order) })).toBe(false);
  });
});

describe('rules about the redemption (3.1)', () => {
  it('redemption.metadata is that of the request', () => {
    const redemption = { ...byKey, metadata: { channel: 'app' } };
    expect(holds('redemption.metadata', { $is: ['app'] }, { redemption }, 'channel')).toBe(true);
    expect(holds('redemption.metadata', { $is: ['web'] }, { redemption }, 'channel')).toBe(false);
    expect(holds('redemption.metadata', { $is_not: ['web'] }, {}, 'channel')).toBe(false);
  });

  it('redemption.api_key is the calling key', () => {
    expect(holds('redemption.api_key', { $is: ['app_1'] }, { redemption: byKey })).toBe(true);
    expect(holds('redemption.api_key', { $is: ['app_2'] }, { redemption: byKey })).toBe(false);
    const byUser = { ...byKey, apiKeyId: null };
    expect(holds('redemption.api_key', { $is_not: ['app_2'] }, { redemption: byUser })).toBe(false);
    expect(holds('redemption.api_key', { $is_not: ['app_2'] }, {})).toBe(false);
  });

  it('redemption.user.login is the calling team member, and fails for keys', () => {
    const redemption = { ...byKey, userLogin: 'ann' };
    expect(holds('redemption.user.login', { $is: ['ann'] }, { redemption })).toBe(true);
    expect(holds('redemption.user.login', { $is: ['bob'] }, { redemption })).toBe(false);
    expect(holds('redemption.user.login', { $is_not: ['bob'] }, { redemption: byKey })).toBe(false);
    expect(holds('redemption.user.login', { $is_not: ['bob'] }, {})).toBe(false);
  });

  it('points_used are the points of this redemption', () => {
    const name = 'redemption.reward.pay_with_points.points_used';
    const redemption = { ...byKey, pointsUsed: 100 };
    expect(holds(name, { $less_than_or_equal: [100] }, { redemption })).toBe(true);
    expect(holds(name, { $less_than: [100] }, { redemption })).toBe(false);
    expect(holds(name, { $less_than: [100] }, { redemption: byKey })).toBe(false);
    expect(holds(name, { $is_not: [100] }, {})).toBe(false);
  });

  it('custom_event.metadata is that of the event', () => {
    const customEvent = { metadata: { page: 'home' } };
    expect(holds('custom_event.metadata', { $is: ['home'] }, { customEvent }, 'page')).toBe(true);
    expect(holds('custom_event.metadata', { $is: ['cart'] }, { customEvent }, 'page')).toBe(false);
    expect(holds('custom_event.metadata', { $is_not: ['cart'] }, {}, 'page')).toBe(false);
  });
});
