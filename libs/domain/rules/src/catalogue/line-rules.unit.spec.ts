import { evaluateRules } from '../evaluation/evaluate-rules';
import {
  type Conditions,
  collection,
  cup,
  holds,
  mug,
  product,
  shirt,
} from '../lines/order-structure.fixture';
import { cart, contextOf, oneRule, orderPart } from '../rules.fixture';

describe('rules below rules about lines (3.2)', () => {
  const below = (name: string, conditions: Conditions, property?: string) => ({
    1: { name, conditions, ...(property !== undefined && { property }) },
  });
  const mugs = { $is: [product('prod_mug')] };
  const cups = { $is: [collection('pc_cups')] };

  it('mugs on two lines of 2 and 1 units are 3', () => {
    const lines = [{ ...mug, quantity: 2 }, cup, { ...mug, quantity: 1 }];
    const quantity = (value: number) =>
      below('order.items.aggregated_quantity', { $more_than_or_equal: [value] });
    expect(holds('any', mugs, lines, quantity(3))).toBe(true);
    expect(holds('any', mugs, lines, quantity(4))).toBe(false);
  });

  it('amounts of matched lines add up, unknown ones as nothing', () => {
    const lines = [{ ...mug, quantity: 2 }, cup, mug, { product: 'prod_mug' }];
    expect(holds('any', mugs, lines, below('order.items.aggregated_amount', { $is: [3000] }))).toBe(true);
    expect(holds('any', mugs, lines, below('order.items.aggregated_amount', { $is: [3500] }))).toBe(false);
  });

  it.each<[string, Conditions, string, Conditions, boolean]>([
    ['any', cups, 'order.items.price', { $is: [500] }, true],
    ['any', cups, 'order.items.price', { $is: [2000] }, false],
    ['any', cups, 'order.items.quantity', { $is: [3] }, true],
    ['any', cups, 'order.items.quantity', { $is: [7] }, false],
    ['every', {}, 'order.items.price', { $more_than_or_equal: [500] }, true],
    ['every', {}, 'order.items.price', { $more_than: [500] }, false],
    ['every', {}, 'order.items.quantity', { $less_than: [4] }, true],
    ['every', {}, 'order.items.quantity', { $less_than: [3] }, false],
    ['cheapest', {}, 'order.items.quantity', { $is: [3] }, true],
    ['cheapest', {}, 'order.items.quantity', { $is: [1] }, false],
    ['most_expensive', {}, 'order.items.price', { $is: [2000] }, true],
    ['cheapest', {}, 'order.items.aggregated_quantity', { $is: [3] }, true],
    ['most_expensive', {}, 'order.items.aggregated_quantity', { $is: [2] }, true],
    ['none', { $is: [product('prod_x')] }, 'order.items.aggregated_quantity', { $is: [0] }, true],
    ['none', { $is: [product('prod_x')] }, 'order.items.aggregated_amount', { $more_than: [0] }, false],
  ])('%s %j with %s %j', (quantifier, conditions, name, subConditions, expected) => {
    const lines = [mug, { ...cup, quantity: 3 }, { ...shirt, quantity: 2 }];
    expect(holds(quantifier, conditions, lines, below(name, subConditions))).toBe(expected);
  });

  it('of several lines tied at the lowest price all must satisfy them', () => {
    const lines = [{ ...mug, price: 500, quantity: 1 }, { ...cup, quantity: 2 }, shirt];
    const quantity = (most: number) => below('order.items.quantity', { $less_than_or_equal: [most] });
    expect(holds('cheapest', {}, lines, quantity(2))).toBe(true);
    expect(holds('cheapest', {}, lines, quantity(1))).toBe(false);
    expect(holds('cheapest', mugs, lines, quantity(1))).toBe(true);
  });

  it('metadata are those of the line', () => {
    const lines = [
      { ...mug, metadata: { engraved: 'yes' } },
      { ...mug, metadata: { engraved: 'no' } },
    ];
    const engraved = below('order.items.metadata', { $is: ['yes'] }, 'engraved');
    expect(holds('any', mugs, lines, engraved)).toBe(true);
    expect(holds('every', mugs, lines, engraved)).toBe(false);
    expect(holds('any', mugs, [mug], engraved)).toBe(false);
    expect(holds('any', mugs, [mug], below('order.items.metadata', { $is_not: ['yes'] }, 'engraved'))).toBe(
      true,
    );
  });

  it('each is tested on its own', () => {
    const lines = [
      { ...mug, quantity: 1, price: 900 },
      { ...mug, quantity: 5 },
    ];
    const rules = {
      1: { name: 'order.items.price', conditions: { $is: [900] } },
      2: { name: 'order.items.quantity', conditions: { $is: [5] } },
    };
    expect(holds('any', mugs, lines, rules)).toBe(true);
  });

  it('only the lines that match count', () => {
    const lines = [
      { ...mug, quantity: 1 },
      { ...cup, quantity: 5 },
    ];
    expect(holds('any', mugs, lines, below('order.items.quantity', { $is: [5] }))).toBe(false);
    expect(holds('any', mugs, lines, below('order.items.aggregated_quantity', { $is: [6] }))).toBe(false);
  });

  it('rules below rules below them see the same lines', () => {
    const deep = {
      1: {
        name: 'order.items.price',
        conditions: { $is: [1000] },
        rules: below('order.items.aggregated_quantity', { $is: [2] }),
      },
    };
    expect(holds('any', mugs, [{ ...mug, quantity: 2 }, cup], deep)).toBe(true);
    expect(holds('any', mugs, [{ ...mug, quantity: 3 }, cup], deep)).toBe(false);
  });

  it('explains with a value per line', () => {
    const order = orderPart(cart([{ ...mug, quantity: 1 }, cup, { ...mug, quantity: 2 }]));
    const explained = (name: string, conditions: Conditions, quantifier = 'any', property?: string) => {
      const rule = oneRule(`order.items.${quantifier}`, mugs, { rules: below(name, conditions, property) });
      return evaluateRules([rule], contextOf({ order }), 'FULL', { label: 'Gift Card' }).violations[0];
    };
    expect(explained('order.items.quantity', { $more_than: [0], $is: [7] })).toMatchObject({
      path: '1.rules.1',
      name: 'order.items.quantity',
      operator: '$is',
      expected: [7],
      actual: [1, 2],
    });
    expect(explained('order.items.metadata', { $is: ['x'] }, 'any', 'p')).toMatchObject({
      operator: '$is',
      actual: [null, null],
    });
    const each = oneRule('order.items.price_each', { $is: [1000] });
    expect(
      evaluateRules([each], contextOf({ order }), 'FULL', { label: 'Gift Card' }).violations[0],
    ).toMatchObject({ operator: '$is', expected: [1000], actual: [1000, 500, 1000] });
  });
});
