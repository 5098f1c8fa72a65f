import { appliedBy, calculated, cart, percent, units, voucher } from '../calculation.fixture';
import { Catalogue } from '../catalogue/catalogue';
import type { Redeemable } from '../redeemable';

const records = {
  products: [
    { id: 'plain', price: 2000 },
    { id: 'fine', price: 2500 },
    { id: 'mug', price: 500 },
    { id: 'gift' },
  ],
};
const lines = cart({ items: [{ product_id: 'plain', quantity: 3 }] }, { records });
const tenPercent = voucher('P', { discount: percent(10, { effect: 'APPLY_TO_ITEMS' }) });
const replacing = (target: string) =>
  voucher(
    'R',
    { discount: units('REPLACE_ITEMS', 1, target) },
    {
      scope: {
        included: [{ object: 'product', id: 'plain', aggregated_quantity_limit: 1 }],
        excluded: [],
        included_all: false,
      },
    },
  );
const inTurn = (order: ReturnType<typeof cart>, list: Redeemable[], mode: 'ONCE' | 'STACK' = 'ONCE') =>
  calculated(
    order,
    list,
    { redeemables_products_application_mode: mode },
    { catalogue: new Catalogue(records) },
  );
const itemDiscounts = (calculation: ReturnType<typeof calculated>) =>
  calculation.order?.items.map((line) => line.discount_amount);

describe('ONCE: what counts as discounted (reference 01 §10 step 4.4)', () => {
  test('an upgrade closes what it discounts, not what it replaces', () => {
    const calculation = inTurn(lines, [replacing('fine'), tenPercent]);
    expect(itemDiscounts(calculation)).toEqual([400, 500]);
    expect(appliedBy(calculation)).toEqual([500, 400]);
  });

  test('a cheaper replacement discounts nothing and closes nothing', () => {
    const calculation = inTurn(lines, [replacing('mug'), tenPercent]);
    expect(itemDiscounts(calculation)).toEqual([400, 50]);
  });

  test('a unit without a price is closed once it is free', () => {
    const free = (id: string) => voucher(id, { discount: units('ADD_NEW_ITEMS', 1, 'gift') });
    const quantities = (mode: 'ONCE' | 'STACK') =>
      inTurn(lines, [free('A'), free('B')], mode).order?.items.map(({ quantity }) => quantity);
    expect(quantities('ONCE')).toEqual([3, 1]);
    expect(quantities('STACK')).toEqual([3, 2]);
  });

  test('a line without a price in the cart stays open while nothing of it is free', () => {
    const priceless = cart({ items: [{ product_id: 'plain' }, { product_id: 'gift' }] }, { records });
    const free = voucher('F', { discount: units('ADD_MISSING_ITEMS', 2, 'gift') });
    const { order } = inTurn(priceless, [tenPercent, free]);
    expect(order?.items.map((line) => line.discount_quantity)).toEqual([undefined, 2]);
  });
});
