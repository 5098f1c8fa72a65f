import { at, cart, ruleObject } from '../rules.fixture';
import { namesLine } from './names-line';

const product = (id: string) => ({ object: 'product', id });
const order = cart([
  { product: 'prod_1', price: 100, collections: ['pc_1'], productMetadata: { color: 'red' } },
  { product: 'prod_2', price: 900, collections: ['pc_2'], metadata: { color: 'blue' } },
]);

const names = (rule: Record<string, unknown>): boolean => namesLine(ruleObject({ 1: rule }), order, at);

describe('whether a rule names a line (8)', () => {
  it.each(['any', 'every', 'cheapest', 'most_expensive'])(
    'order.items.%s names what it is about',
    (quantifier) => {
      const rule = (conditions: unknown) => ({ name: `order.items.${quantifier}`, conditions });
      expect(names(rule({ $is: [product('prod_1')] }))).toBe(true);
      expect(names(rule({ $in: [product('prod_2')] }))).toBe(true);
      expect(names(rule({ $is: [product('prod_9')] }))).toBe(false);
      expect(names(rule({ $from: [{ id: 'pc_2' }] }))).toBe(true);
      expect(names(rule({ $from: [{ id: 'pc_9' }] }))).toBe(false);
      expect(names(rule({ $from: [{ id: 'pc_2' }], $is: [product('prod_1')] }))).toBe(false);
      expect(names(rule({ $is_not: [product('prod_9')] }))).toBe(false);
      expect(names(rule({}))).toBe(false);
    },
  );

  it('order.items.none and rules about other things name none', () => {
    expect(names({ name: 'order.items.none', conditions: { $is: [product('prod_1')] } })).toBe(false);
    expect(names({ name: 'order.items.price_any', conditions: { $is: [100] } })).toBe(false);
    expect(names({ name: 'order.amount', conditions: { $is: [1000] } })).toBe(false);
  });

  it('legacy rules name their items', () => {
    expect(names({ name: 'product.id', conditions: { $is: [{ id: 'prod_2' }] } })).toBe(true);
    expect(names({ name: 'product.id', conditions: { $is: [{ id: 'prod_9' }] } })).toBe(false);
    expect(names({ name: 'sku.id', conditions: { $is: [{ id: 'prod_2' }] } })).toBe(false);
    expect(names({ name: 'product.metadata', property: 'color', conditions: { $is: ['red'] } })).toBe(true);
    expect(names({ name: 'product.metadata', property: 'color', conditions: { $is: ['blue'] } })).toBe(false);
  });

  it('names below other rules count, those that logic does not name do not', () => {
    const about = { name: 'product.id', conditions: { $is: [{ id: 'prod_2' }] } };
    expect(names({ name: 'order.amount', rules: { 1: about } })).toBe(true);
    expect(namesLine(ruleObject({ 1: about, 2: { name: 'order.amount' }, logic: '2' }), order, at)).toBe(
      false,
    );
  });

  it.each([
    ['prod_1', true],
    ['prod_9', false],
  ])('a bundle names its components: %s', (id, expected) => {
    const rule = ruleObject(
      {},
      {
        bundle_rules: {
          1: {
            name: 'order.items.any',
            conditions: { $is: [{ ...product(id), type: 'product_or_sku' }] },
          },
        },
      },
    );
    expect(namesLine(rule, order, at)).toBe(expected);
  });

  it('a line whose units were all replaced is not named', () => {
    const gone = { ...order, lines: order.lines.map((line) => ({ ...line, quantity: 0 })) };
    const about = { name: 'order.items.any', conditions: { $is: [product('prod_1')] } };
    const component = { ...about, conditions: { $is: [{ ...product('prod_1'), type: 'product_or_sku' }] } };
    for (const rule of [ruleObject({ 1: about }), ruleObject({}, { bundle_rules: { 1: component } })]) {
      expect([namesLine(rule, order, at), namesLine(rule, gone, at)]).toEqual([true, false]);
    }
  });
});
