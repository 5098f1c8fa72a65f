import { rulesHold } from '../evaluation/evaluate-rules';
import { type Conditions, cup, holds, mug, shirt } from '../lines/order-structure.fixture';
import { type CartLine, cart, contextOf, orderPart, ruleObject } from '../rules.fixture';

describe('legacy names (3.2)', () => {
  it.each<[string, Conditions, CartLine[], boolean]>([
    ['product.id', { $is: [{ id: 'prod_mug' }] }, [cup, mug], true],
    ['product.id', { $is: [{ id: 'prod_mug' }] }, [cup], false],
    ['product.id', { $is: [{ id: 'prod_shirt' }] }, [shirt], true],
    ['product.id', { $is: [{ id: 'sku_red' }] }, [shirt], false],
    ['product.id', { $is: [{ id: 'sku_red', object: 'sku' }] }, [shirt], true],
    ['sku.id', { $is: [{ id: 'sku_red' }] }, [shirt], true],
    ['sku.id', { $is: [{ id: 'prod_shirt' }] }, [shirt], false],
    ['sku.id', { $is_not: [{ id: 'sku_red' }] }, [shirt], false],
  ])('%s %j', (name, conditions, lines, expected) => {
    expect(holds(name, conditions, lines)).toBe(expected);
  });

  it.each([
    ['product', { $is: [{ id: 'prod_shirt' }] }],
    ['sku', { $is: [{ id: 'sku_red' }] }],
  ])('%s.price and %s.quantity are those of some matched line', (item, conditions) => {
    const lines = [mug, { ...shirt, quantity: 2 }, { ...shirt, price: 1900 }];
    const one = (name: string, value: number) => ({
      1: { name: `${item}.${name}`, conditions: { $is: [value] } },
    });
    expect(holds(`${item}.id`, conditions, lines, one('price', 1900))).toBe(true);
    expect(holds(`${item}.id`, conditions, lines, one('price', 1000))).toBe(false);
    expect(holds(`${item}.id`, conditions, lines, one('quantity', 2))).toBe(true);
    expect(holds(`${item}.id`, conditions, lines, one('quantity', 3))).toBe(false);
    const flag = (value: boolean) => ({
      1: { name: `${item}.discount_applicable`, conditions: { $is: [value] } },
    });
    expect(holds(`${item}.id`, conditions, lines, flag(true))).toBe(true);
    expect(holds(`${item}.id`, conditions, lines, flag(false))).toBe(false);
  });

  describe('product.metadata', () => {
    const red: CartLine = { product: 'prod_1', price: 100, quantity: 2, productMetadata: { color: 'red' } };
    const blue: CartLine = { product: 'prod_2', price: 300, quantity: 3, productMetadata: { color: 'blue' } };
    const ofColor = (
      conditions: Conditions,
      lines: readonly CartLine[],
      rules: Record<string, unknown> = {},
    ) =>
      rulesHold(
        [ruleObject({ 1: { name: 'product.metadata', property: 'color', conditions, rules } })],
        contextOf({ order: orderPart(cart(lines)) }),
        'FULL',
      );

    it('is that of some line’s product', () => {
      expect(ofColor({ $is: ['red'] }, [red, blue])).toBe(true);
      expect(ofColor({ $is: ['green'] }, [red, blue])).toBe(false);
      expect(ofColor({ $is: ['red'] }, [mug])).toBe(false);
      expect(ofColor({ $is_not: ['red'] }, [mug])).toBe(true);
      expect(ofColor({ $is: ['red'] }, [{ ...mug, metadata: { color: 'red' } }])).toBe(false);
    });

    it('is overlaid by that of the SKU', () => {
      const sku: CartLine = { ...red, sku: 'sku_1', skuMetadata: { color: 'green' } };
      expect(ofColor({ $is: ['green'] }, [sku])).toBe(true);
      expect(ofColor({ $is: ['red'] }, [sku])).toBe(false);
      expect(ofColor({ $is: ['red'] }, [{ ...sku, skuMetadata: { size: 'M' } }])).toBe(true);
    });

    const sub = (name: string, value: unknown) => ({
      1: { name: `product.metadata.${name}`, conditions: { $is: [value] } },
    });

    it.each<[string, unknown, CartLine[], boolean]>([
      ['aggregated_quantity', 4, [red, blue, red], true],
      ['aggregated_quantity', 7, [red, blue, red], false],
      ['aggregated_amount', 400, [red, blue, red], true],
      ['aggregated_amount', 1300, [red, blue, red], false],
      ['discount_applicable', true, [red, blue], true],
      ['discount_applicable', false, [red, blue], false],
      ['match_all', true, [red, red], true],
      ['match_all', true, [red, blue], false],
      ['match_all', false, [red, blue], true],
    ])('.%s %j', (name, value, lines, expected) => {
      expect(ofColor({ $is: ['red'] }, lines, sub(name, value))).toBe(expected);
    });
  });
});
