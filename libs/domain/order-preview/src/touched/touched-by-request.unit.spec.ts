import { Catalogue } from '@scrip/order-calculation';
import { evaluateRequest } from '../evaluation/evaluate-request';
import { amountOff, candidate, cart, customer, requestOf, rule } from '../preview.fixture';
import { type Counted, type CountedCaller, type CountedMoment, counterName } from './limit-counter';
import { countedFrom, touchedBudgetName, touchedBy, unitsUsedFrom } from './touched-by-request';

const ada = { customerId: 'cust_ada', apiKeyId: 'key_1', userId: null };
const anonymous = { customerId: null, apiKeyId: null, userId: null };
const limit = (...names: string[]) =>
  rule(
    Object.fromEntries(
      names.map((name, index) => [index + 1, { name, conditions: { $less_than_or_equal: [1] } }]),
    ),
  );

const namesOf = (names: string[], who: CountedCaller = ada, more: object = {}): string[] =>
  touchedBy(
    requestOf([candidate('CODE', { objectId: 'v_1', rules: [limit(...names)], ...more })]),
    who,
  ).counters.map(counterName);

describe('counters that a request may touch (reference 02 §3.3)', () => {
  it.each([
    ['campaign.redemptions.count', 'campaign:camp_1 all  '],
    ['campaign.redemptions.count.daily', 'campaign:camp_1 all  2026-03-31'],
    ['campaign.redemptions.count.weekly', 'campaign:camp_1 all  2026-03-30'],
    ['campaign.redemptions.count.monthly', 'campaign:camp_1 all  2026-03-01'],
    ['campaign.redemptions.customers_count', 'campaign:camp_1 customer cust_ada '],
    ['redemption.count.daily', 'voucher:v_1 all  2026-03-31'],
    ['redemption.count.per_customer', 'voucher:v_1 customer cust_ada '],
    ['redemption.count.per_customer.monthly', 'voucher:v_1 customer cust_ada 2026-03-01'],
    ['redemption.count.per_api_key', 'voucher:v_1 api_key key_1 '],
    ['campaign.orders.amount', 'campaign:camp_1 all  '],
    ['campaign.orders.amount_discounted', 'campaign:camp_1 all  '],
    ['redemption.gift.amount', 'campaign:camp_1 all  '],
  ])('of %s: %s', (name, expected) => expect(namesOf([name])).toEqual([expected]));

  it.each(['redemption.count.per_customer', 'redemption.count.per_api_key', 'redemption.count.per_user'])(
    'of %s are none where there is no such subject',
    (name) => expect(namesOf([name], anonymous)).toEqual([]),
  );

  it('of a voucher without campaign are its own', () => {
    const { campaignId: _, ...redeemable } = candidate('CODE').redeemable;
    expect(
      namesOf(['campaign.redemptions.count'], ada, { redeemable: { ...redeemable, campaignId: undefined } }),
    ).toEqual(['voucher:v_1 all  ']);
  });

  it.each<[CountedMoment['firstWeekday'], string]>([
    [undefined, '2026-03-30'],
    [1, '2026-03-30'],
    [0, '2026-03-29'],
    [6, '2026-03-28'],
  ])('of weeks that begin on %s have counted since %s', (firstWeekday, since) => {
    const request = requestOf([candidate('A', { rules: [limit('campaign.redemptions.count.weekly')] })]);
    const { counters } = touchedBy(request, ada, firstWeekday === undefined ? {} : { firstWeekday });
    expect(counters[0]?.since).toBe(since);
  });

  it("begin with the project's day", () => {
    const request = requestOf([candidate('A', { rules: [limit('redemption.count.daily')] })]);
    const context = { ...request.context, now: new Date('2026-03-31T22:30:00Z'), timezone: 'Europe/Warsaw' };
    expect(touchedBy({ ...request, context }, ada).counters[0]?.since).toBe('2026-04-01');
  });

  it('are named once and in one order, whatever the order of the request', () => {
    const a = candidate('A', {
      rules: [limit('redemption.count.per_customer', 'campaign.redemptions.count')],
    });
    const b = candidate('B', {
      rules: [limit('campaign.redemptions.count.daily', 'campaign.orders.amount')],
    });
    const expected = [
      'campaign:camp_1 all  ',
      'campaign:camp_1 all  2026-03-31',
      'voucher:A customer cust_ada ',
    ];
    for (const requested of [
      [a, b],
      [b, a],
    ]) {
      expect(touchedBy(requestOf(requested), ada).counters.map(counterName)).toEqual(expected);
    }
  });

  it('of tiers in a stack are among them', () => {
    const tier = candidate('promo_1', {
      redeemable: { object: 'promotion_tier' },
      rules: [limit('redemption.count.daily')],
    });
    const request = requestOf([{ object: 'promotion_stack', id: 'stack_1', tiers: [tier] }]);
    expect(touchedBy(request, ada).counters.map(counterName)).toEqual([
      'promotion_tier:promo_1 all  2026-03-31',
    ]);
  });

  it('answer the limits that read them, each by its own measure', () => {
    const one = candidate('A');
    const counted: Counted = { redemptions: 1, order_amount: 20, discount_amount: 3, credits: 4 };
    const read = new Map([['campaign:camp_1 all  ', counted]]);
    const answer = countedFrom(read, one, ada, requestOf([]).context);
    expect(
      [
        'campaign.redemptions.count',
        'campaign.orders.amount',
        'campaign.orders.amount_discounted',
        'redemption.gift.amount',
      ].map(answer),
    ).toEqual([1, 20, 3, 4]);
    expect(answer('campaign.redemptions.count.daily')).toBe(0);
    expect(countedFrom(read, one, anonymous, requestOf([]).context)('redemption.count.per_customer')).toBe(0);
  });
});

describe('unit budgets that a request may touch (reference 01 §6)', () => {
  const budgeted = (limits: object, item: object = { object: 'product', id: 'prod_cup' }) =>
    rule({}, { applicable_to: { included: [{ ...item, ...limits }] } });
  const perUnit = { incentive: amountOff(100, { effect: 'APPLY_TO_ITEMS_BY_QUANTITY' }) };

  it("name the customer where they count a customer's units, and have one order", () => {
    const limits = { product_customer_campaign_quantity_limit: 3, product_campaign_quantity_limit: 9 };
    const request = requestOf([candidate('A', { rules: [budgeted(limits)] })], { customer });
    expect(touchedBy(request, ada).budgets).toEqual([
      { limit: 'product_campaign_quantity_limit', owner: 'camp_1', item: 'product:prod_cup', customer: null },
      {
        limit: 'product_customer_campaign_quantity_limit',
        owner: 'camp_1',
        item: 'product:prod_cup',
        customer: 'cust_ada',
      },
    ]);
    expect(touchedBy(request, anonymous).budgets).toHaveLength(1);
  });

  it('are none for items that the order does not contain, nor for excluded ones', () => {
    const limits = { product_campaign_quantity_limit: 9 };
    const other = budgeted(limits, { object: 'product', id: 'prod_plate' });
    const excluded = rule(
      {},
      {
        applicable_to: {
          included: [{ object: 'products_collection', id: 'pc_a11pr0dUc75', ...limits }],
          excluded: [{ object: 'product', id: 'prod_cup' }],
        },
      },
    );
    for (const rules of [[other], [excluded]])
      expect(touchedBy(requestOf([candidate('A', { rules })]), ada).budgets).toEqual([]);
  });

  it('have those of units that another redeemable adds to the order', () => {
    const catalogue = new Catalogue({
      products: [{ id: 'prod_gift', price: 500, collections: ['pc_1'] }],
    });
    const gift = candidate('GIFT', {
      redeemable: {
        incentive: {
          discount: { type: 'UNIT', unit_off: 1, unit_type: 'prod_gift', effect: 'ADD_NEW_ITEMS' },
        },
      },
    });
    const limits = { product_in_collection_campaign_quantity_limit: 2 };
    const collection = budgeted(limits, { object: 'products_collection', id: 'pc_1' });
    const request = requestOf([gift, candidate('B', { rules: [collection] })], { catalogue });
    expect(touchedBy(request, ada).budgets).toEqual([
      {
        limit: 'product_in_collection_campaign_quantity_limit',
        owner: 'camp_1',
        item: 'products_collection:pc_1/product:prod_gift',
        customer: null,
      },
    ]);
  });

  it('are all that an evaluation asks for, and answer it', () => {
    const catalogue = new Catalogue({
      products: ['a', 'b', 'c'].map((name) => ({ id: `prod_${name}`, price: 1000, collections: ['pc_1'] })),
    });
    const order = cart(
      [
        { product_id: 'prod_a', quantity: 3 },
        { product_id: 'prod_b', quantity: 2 },
      ],
      catalogue,
    );
    const rules = [
      budgeted(
        {
          product_in_collection_customer_campaign_quantity_limit: 2,
          product_customer_campaign_quantity_limit: 4,
        },
        { object: 'products_collection', id: 'pc_1' },
      ),
    ];
    const requested = [
      candidate('FREE', {
        redeemable: {
          incentive: {
            discount: { type: 'UNIT', unit_off: 2, unit_type: 'prod_c', effect: 'ADD_NEW_ITEMS' },
          },
        },
      }),
      candidate('B', { redeemable: perUnit, rules }),
    ];
    const request = requestOf(requested, { order, catalogue, customer });
    const names = touchedBy(request, ada).budgets.map(touchedBudgetName);
    const asked = new Set<string>();
    const read = new Map([
      ['product_customer_campaign_quantity_limit camp_1 products_collection:pc_1 cust_ada', 1],
    ]);
    const answer = unitsUsedFrom(read, ada);
    const { consumption } = evaluateRequest({
      ...request,
      context: {
        ...request.context,
        unitsUsed: (budget, redeemable) => {
          asked.add(touchedBudgetName({ ...budget, customer: ada.customerId }));
          return answer(budget, redeemable);
        },
      },
    });
    expect(asked.size).toBeGreaterThan(2);
    expect([...asked].filter((name) => !names.includes(name))).toEqual([]);
    expect(consumption.units.map(({ units }) => units).sort()).toEqual([1, 2, 3]);
  });
});
