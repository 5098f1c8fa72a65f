import { Catalogue } from '../catalogue/catalogue';
import type { UnitDiscount } from '../discount';
import { shownUnits } from './shown-units';
import { catalogue, order } from './units.fixture';

const discount = (unitType?: string): UnitDiscount => ({
  type: 'UNIT',
  effect: 'ADD_NEW_ITEMS',
  unit_off: 1,
  ...(unitType !== undefined && { unit_type: unitType }),
});
const mug = { id: 'prod_mug', source_id: 'mug', name: 'Mug' };
const shirt = { id: 'prod_shirt', source_id: 'shirt', name: 'Shirt' };

describe('discounts name what their units are (reference 01 §7)', () => {
  test.each([
    ['a product', 'prod_mug', { product: mug }],
    ['a product by source id', 'mug', { product: mug }],
    ['a product without source id', 'prod_hat', { product: { id: 'prod_hat', name: 'Hat' } }],
    ['a product without name', 'prod_poster', { product: { id: 'prod_poster', name: 'prod_poster' } }],
    [
      'a SKU with its product',
      'sku_plain',
      {
        product: shirt,
        sku: { id: 'sku_plain', source_id: 'plain', name: 'Plain shirt', sku: 'Plain shirt' },
      },
    ],
    ['what nobody knows', 'prod_nobody', {}],
    ['a collection', 'pc_clothes', {}],
    ['nothing', undefined, {}],
  ])('%s', (_, unitType, known) => {
    const one = discount(unitType);
    expect(shownUnits(one, order([]), catalogue)).toEqual({ ...one, ...known });
  });

  test('a SKU without name goes by its id', () => {
    const knows = new Catalogue({ skus: [{ id: 'sku_1', product: { id: 'prod_1', name: 'One' } }] });
    expect(shownUnits(discount('sku_1'), order([]), knows)).toEqual({
      ...discount('sku_1'),
      product: { id: 'prod_1', name: 'One' },
      sku: { id: 'sku_1', name: 'sku_1' },
    });
  });

  test('shipping is known to everybody, also without an order', () => {
    const shipping = 'prod_5h1pp1ng';
    expect(shownUnits(discount(shipping), null)).toEqual({
      ...discount(shipping),
      product: { id: shipping, source_id: shipping, name: 'Shipping' },
    });
  });

  test('what only the cart knows is shown from there', () => {
    const state = order([
      { product_id: 'prod_mug' },
      { product_id: 'prod_own', product: { source_id: 'own', name: 'Own' } },
      { product_id: 'prod_own', sku_id: 'sku_own', sku: { sku: 'Own, red', source_id: 'own-red' } },
      { sku_id: 'sku_bare' },
    ]);
    expect(shownUnits(discount('prod_own'), state, catalogue)).toEqual({
      ...discount('prod_own'),
      product: { id: 'prod_own', source_id: 'own', name: 'Own' },
    });
    expect(shownUnits(discount('sku_own'), state, catalogue)).toEqual({
      ...discount('sku_own'),
      product: { id: 'prod_own', name: 'prod_own' },
      sku: { id: 'sku_own', source_id: 'own-red', name: 'Own, red', sku: 'Own, red' },
    });
    expect(shownUnits(discount('sku_bare'), state, catalogue)).toEqual({
      ...discount('sku_bare'),
      sku: { id: 'sku_bare', name: 'sku_bare' },
    });
  });

  test('a product line does not show the SKU that it happens to be', () => {
    const state = order([{ product_id: 'prod_own', sku_id: 'sku_own', sku: { sku: 'Red' } }]);
    expect(shownUnits(discount('prod_own'), state, catalogue)).not.toHaveProperty('sku');
  });

  test('each entry of units has its own', () => {
    const many: UnitDiscount = {
      type: 'UNIT',
      effect: 'ADD_MANY_ITEMS',
      units: [
        { effect: 'ADD_NEW_ITEMS', unit_off: 1, unit_type: 'prod_mug' },
        { effect: 'ADD_MISSING_ITEMS', unit_off: 2, unit_type: 'prod_nobody' },
      ],
    };
    expect(shownUnits(many, order([]), catalogue)).toEqual({
      ...many,
      units: [{ ...many.units![0], product: mug }, many.units![1]],
    });
  });
});
