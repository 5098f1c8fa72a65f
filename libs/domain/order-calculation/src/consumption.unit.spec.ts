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
    expect(calculation.consumption.units).toEqual([{ budget, units: 2, usedAtMost: 3 }]);
  });

  test('redeemables of one campaign share a budget within a request', () => {
    const calculation = calculated(mugs(3), [limited('A'), limited('B')]);
    expect(appliedBy(calculation)).toEqual([300, 200]);
    expect(calculation.consumption.units).toEqual([{ budget, units: 5, usedAtMost: 0 }]);
  });

  test('units counted before leave fewer', () => {
    const calculation = calculated(mugs(3), [limited('A')], {}, { unitsUsed: () => 4 });
    expect(appliedBy(calculation)).toEqual([100]);
    expect(calculation.consumption.units).toEqual([{ budget, units: 1, usedAtMost: 4 }]);
  });

  test('the smallest allowance of those that share a budget says how many may have been counted before', () => {
    const included = { object: 'product', id: 'mug', product_campaign_quantity_limit: 9 } as const;
    const calculation = calculated(mugs(2), [limited('A'), limited('B', { scope: including(included) })]);
    expect(calculation.consumption.units).toEqual([{ budget, units: 4, usedAtMost: 3 }]);
  });

  test('a voucher without campaign is its own', () => {
    const { campaignId: _, ...alone } = limited('A');
    expect(calculated(mugs(1), [alone]).consumption.units).toEqual([
      { budget: { ...budget, owner: 'A' }, units: 1, usedAtMost: 4 },
    ]);
  });

  test('lines that only `included_all` covers consume nothing', () => {
    const included = { object: 'product', id: 'mug', product_campaign_quantity_limit: 5 } as const;
    const order = cart({
      items: [
        { product_id: 'mug', price: 1000 },
        { product_id: 'cup', price: 1000, quantity: 2 },
      ],
    });
    const everything = limited('A', { scope: { included: [included], excluded: [], included_all: true } });
    const calculation = calculated(order, [everything]);
    expect(appliedBy(calculation)).toEqual([300]);
    expect(calculation.consumption.units).toEqual([{ budget, units: 1, usedAtMost: 4 }]);
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
