import { amount, appliedBy, calculated, cart, including, voucher } from './calculation.fixture';

describe('unit budgets (reference 01 §6)', () => {
  const limited = (id: string, more: object = {}) =>
    voucher(
      id,
      { discount: amount(100, { effect: 'APPLY_TO_ITEMS_BY_QUANTITY' }) },
      {
        campaignId: 'camp_1',
        scope: including({ object: 'product', id: 'mug', product_campaign_quantity_limit: 5 }),
        ...more,
      },
    );
  const mugs = (quantity: number) => cart({ items: [{ product_id: 'mug', price: 1000, quantity }] });
  const budget = { limit: 'product_campaign_quantity_limit', owner: 'camp_1', item: 'product:mug' };

  test('discounted units are consumed', () => {
    const calculation = calculated(mugs(2), [limited('A')]);
    expect(calculation.consumption.units).toEqual([{ budget, units: 2 }]);
  });

  test('redeemables of one campaign share a budget within a request', () => {
    const calculation = calculated(mugs(3), [limited('A'), limited('B')]);
    expect(appliedBy(calculation)).toEqual([300, 200]);
    expect(calculation.consumption.units).toEqual([{ budget, units: 5 }]);
  });

  test('units counted before leave fewer', () => {
    const calculation = calculated(mugs(3), [limited('A')], {}, { unitsUsed: () => 4 });
    expect(appliedBy(calculation)).toEqual([100]);
    expect(calculation.consumption.units).toEqual([{ budget, units: 1 }]);
  });

  test('a voucher without campaign is its own', () => {
    const { campaignId: _, ...alone } = limited('A');
    expect(calculated(mugs(1), [alone]).consumption.units).toEqual([
      { budget: { ...budget, owner: 'A' }, units: 1 },
    ]);
  });

  test('lines without a discount consume nothing', () => {
    const free = cart({ items: [{ product_id: 'mug', price: 0, quantity: 2 }] });
    expect(calculated(free, [limited('A')]).consumption.units).toEqual([]);
  });

  test('free units added beside a scope consume nothing', () => {
    const added = limited('A', {
      incentive: { discount: { type: 'UNIT', effect: 'ADD_NEW_ITEMS', unit_off: 1, unit_type: 'mug' } },
    });
    expect(calculated(mugs(1), [added]).consumption.units).toEqual([]);
  });
});
