import { Catalogue } from '@scrip/order-calculation';
import { evaluateRequest } from '../evaluation/evaluate-request';
import { candidate, cart, requestOf, rule } from '../preview.fixture';
import { requestDemands } from './request-demands';

const free = (unitType: string, more: object = {}) =>
  candidate('FREE', {
    redeemable: { incentive: { discount: { type: 'UNIT', unit_off: 1, unit_type: unitType, ...more } } },
  });

describe('what is loaded for a request', () => {
  it('without rules and free units is what its lines name', () => {
    const demands = requestDemands(
      [candidate('A')],
      [{ product_id: 'prod_1', quantity: 2, price: 100, metadata: { a: 1 } }, { product_id: 'prod_1' }],
    );
    expect(demands).toEqual({
      customer: false,
      segments: { ids: [], all: false },
      loyalty: { ids: [], all: false },
      holder: false,
      items: [{ product_id: 'prod_1' }],
      collections: [],
      metadata: {},
      orderHistory: [],
      redemptionHistory: [],
    });
  });

  it('has embedded names of lines, and nothing else of them', () => {
    const sent = [{ product: { source_id: 'mug', name: 'Mug', price: 5 }, sku: { id: 'sku_1' } }];
    expect(requestDemands([], sent).items).toEqual([{ product: { source_id: 'mug' }, sku: { id: 'sku_1' } }]);
  });

  it('has every unit type, as everything that it may name', () => {
    const many = free('', {
      unit_type: undefined,
      units: [{ unit_type: 'x', unit_off: 1, effect: 'ADD_NEW_ITEMS' }],
    });
    for (const one of [free('x'), many]) {
      expect(requestDemands([one], []).items).toEqual([
        { sku_id: 'x' },
        { product_id: 'x' },
        { related_object: 'sku', source_id: 'x' },
        { related_object: 'product', source_id: 'x' },
      ]);
    }
    expect(requestDemands([free('pc_1', { effect: 'ADD_SAME_ITEMS' })], []).collections).toEqual(['pc_1']);
  });

  it('has what rules name, counters by what they count', () => {
    const rules = [
      rule(
        {
          1: { name: 'campaign.orders.amount_discounted', conditions: { $less_than: [5] } },
          2: { name: 'redemption.count.daily', conditions: { $less_than: [5] } },
          3: { name: 'customer.loyalty_tier', conditions: { $is: ['ltr_1'] } },
        },
        {
          applicable_to: {
            included: [
              { object: 'sku', id: 'sku_1', source_id: 'red' },
              { object: 'products_collection', id: 'pc_1' },
            ],
          },
        },
      ),
    ];
    const candidates = [candidate('A', { rules })];
    expect(requestDemands(candidates, [])).toMatchObject({
      loyalty: { ids: ['ltr_1'] },
      items: [{ sku_id: 'sku_1' }, { related_object: 'sku', source_id: 'red' }],
      collections: ['pc_1'],
      orderHistory: ['campaign.orders.amount_discounted'],
      redemptionHistory: ['redemption.count.daily'],
    });
    expect(requestDemands(candidates, [], 'QUALIFY')).toMatchObject({
      orderHistory: [],
      redemptionHistory: [],
    });
  });

  it('of free units makes their lines members of collections that a later rule asks for', () => {
    const contains = rule({
      1: {
        name: 'order.items.any',
        conditions: { $is: [{ object: 'products_collection', id: 'pc_1' }] },
      },
    });
    const requested = [free('prod_gift', { effect: 'ADD_NEW_ITEMS' }), candidate('B', { rules: [contains] })];
    const demands = requestDemands(requested, [{ product_id: 'prod_cup' }]);
    expect(demands.items).toContainEqual({ product_id: 'prod_gift' });
    expect(demands.collections).toEqual(['pc_1']);
    const order = cart([{ product_id: 'prod_cup', price: 1000 }]);
    const laterWith = (collections: string[]) => {
      const catalogue = new Catalogue({ products: [{ id: 'prod_gift', price: 800, collections }] });
      return evaluateRequest(requestOf(requested, { order, catalogue })).redeemables[1]?.status;
    };
    expect(laterWith(['pc_1'])).toBe('APPLICABLE');
    expect(laterWith([])).toBe('INAPPLICABLE');
  });
});
