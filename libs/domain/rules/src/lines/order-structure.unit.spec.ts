import { evaluateRules, rulesHold } from '../evaluation/evaluate-rules';
import { type CartLine, cart, contextOf, oneRule, orderPart, ruleObject } from '../rules.fixture';
import { type Conditions, collection, cup, holds, mug, product, shirt, sku } from './order-structure.fixture';

describe('what the order contains (3.2)', () => {
  it.each<[string, Conditions, CartLine[], boolean]>([
    ['any', { $is: [product('prod_mug')] }, [cup, mug], true],
    ['any', { $is: [product('prod_mug')] }, [cup, shirt], false],
    ['any', { $in: [product('prod_mug'), sku('sku_red')] }, [cup, shirt], true],
    ['any', { $is: [product('prod_shirt')] }, [shirt], true],
    ['any', { $is: [sku('sku_blue')] }, [shirt], false],
    ['any', { $is: [collection('pc_cups')] }, [shirt, cup], true],
    ['any', { $is: [collection('pc_none')] }, [shirt, cup], false],
    ['any', { $is: [collection('pc_a11pr0dUc75')] }, [shirt], true],
    ['any', { $is: [{ object: 'product', id: 'other', source_id: 'mug' }] }, [{ sourceId: 'mug' }], true],
    ['any', { $is: [{ object: 'product', source_id: 'cup' }] }, [{ sourceId: 'mug' }], false],
    ['any', {}, [cup], true],
    ['any', {}, [], false],
    ['any', { $is: [] }, [cup], false],
    ['any', { $is_not: [product('prod_mug')] }, [mug], false],
    ['any', { $is_not: [product('prod_mug')] }, [mug, cup], true],
    ['any', { $not_in: [product('prod_mug'), product('prod_cup')] }, [mug, cup], false],
    ['any', { $is: [product('prod_mug')], $from: [collection('pc_cups')] }, [mug], true],
    ['any', { $is: [product('prod_shirt')], $from: [collection('pc_cups')] }, [mug, shirt], false],
    ['any', { $is: [product('prod_mug')], $in: [product('prod_cup')] }, [mug, cup], false],
    ['any', { $from: [{ id: 'pc_wear' }] }, [mug, shirt], true],
    ['any', { $from: [{ id: 'pc_wear' }] }, [mug, cup], false],
    ['any', { $from: [] }, [mug], false],
    ['every', { $is: [collection('pc_cups')] }, [mug, cup], true],
    ['every', { $is: [collection('pc_cups')] }, [mug, shirt], false],
    ['every', { $from: [collection('pc_cups')] }, [mug, shirt], false],
    ['every', { $is: [collection('pc_cups')] }, [], false],
    ['every', {}, [mug], true],
    ['every', {}, [], false],
    ['none', { $is: [product('prod_mug')] }, [cup, shirt], true],
    ['none', { $is: [product('prod_mug')] }, [cup, mug], false],
    ['none', { $is: [product('prod_mug')] }, [], true],
    ['none', { $from: [collection('pc_cups')] }, [shirt], true],
    ['none', { $is: [product('prod_shirt')], $from: [collection('pc_cups')] }, [shirt, mug], true],
    ['cheapest', { $is: [product('prod_cup')] }, [mug, cup, shirt], true],
    ['cheapest', { $is: [product('prod_mug')] }, [mug, cup, shirt], false],
    ['cheapest', { $is: [product('prod_shirt')], $from: [collection('pc_wear')] }, [mug, cup, shirt], true],
    ['cheapest', { $is: [product('prod_mug')], $from: [collection('pc_wear')] }, [mug, cup, shirt], false],
    ['cheapest', { $from: [collection('pc_cups')] }, [mug, cup, shirt], true],
    ['cheapest', { $from: [collection('pc_none')] }, [mug, cup, shirt], false],
    ['cheapest', { $is: [product('prod_mug')] }, [mug, { ...cup, price: 1000 }], true],
    ['cheapest', {}, [mug], true],
    ['cheapest', {}, [], false],
    ['cheapest', {}, [{ product: 'prod_mug' }], false],
    ['cheapest', { $is: [product('prod_mug')] }, [{ product: 'prod_free' }, mug], true],
    ['cheapest', { $is: [product('prod_mug')] }, [{ ...mug, price: 0 }, cup], true],
    ['most_expensive', { $is: [product('prod_shirt')] }, [mug, cup, shirt], true],
    ['most_expensive', { $is: [product('prod_mug')] }, [mug, cup, shirt], false],
    [
      'most_expensive',
      { $is: [product('prod_mug')], $from: [collection('pc_cups')] },
      [mug, cup, shirt],
      true,
    ],
    ['most_expensive', { $is: [product('prod_cup')] }, [mug, { ...cup, price: 1000 }], true],
    ['most_expensive', {}, [], false],
    [
      'cheapest',
      { $is: [product('a')] },
      [
        { product: 'a', amount: 900, quantity: 2 },
        { product: 'b', price: 451 },
      ],
      true,
    ],
    [
      'cheapest',
      { $is: [product('a')] },
      [
        { product: 'a', amount: 900, quantity: 2 },
        { product: 'b', price: 449 },
      ],
      false,
    ],
  ])('%s %j', (quantifier, conditions, lines, expected) => {
    expect(holds(quantifier, conditions, lines)).toBe(expected);
  });

  it.each(['any', 'every', 'none', 'cheapest', 'most_expensive'])(
    '%s fails without an order',
    (quantifier) => {
      expect(rulesHold([oneRule(`order.items.${quantifier}`, {})], contextOf(), 'FULL')).toBe(false);
    },
  );

  it('looks at the running order, units added earlier in the request included', () => {
    const order = orderPart(cart([cup]), { before: cart([cup, mug]) });
    const rule = oneRule('order.items.any', { $is: [product('prod_mug')] });
    expect(rulesHold([rule], contextOf({ order }), 'FULL')).toBe(true);
  });

  it.each<[string, Record<string, unknown>, boolean]>([
    ['any', { conditions: { $is: [product('prod_mug')] } }, false],
    ['any', { conditions: { $is: [product('prod_cup')] } }, true],
    ['none', { conditions: { $is: [product('prod_mug')] } }, true],
    ['every', { conditions: { $is: [product('prod_cup')] } }, true],
    ['cheapest', { conditions: { $is: [product('prod_cup')] } }, true],
    ['price_each', { conditions: { $more_than: [100] } }, true],
    ['price_any', { conditions: { $less_than: [500] } }, false],
    ['metadata_any', { property: 'color', conditions: { $is: ['red'] } }, false],
  ])('order.items.%s %j does not see a line whose units were all replaced', (name, rest, expected) => {
    const before = cart([{ ...mug, price: 100, metadata: { color: 'red' } }, cup]);
    const order = orderPart(before, {
      before: { ...before, lines: [{ ...before.lines[0]!, quantity: 0, amount: 0 }, before.lines[1]!] },
    });
    const rule = ruleObject({ 1: { name: `order.items.${name}`, ...rest } });
    expect(rulesHold([rule], contextOf({ order }), 'FULL')).toBe(expected);
  });

  it('an order in which nothing is left has no lines', () => {
    const before = cart([mug]);
    const order = orderPart(before, { before: { ...before, lines: [{ ...before.lines[0]!, quantity: 0 }] } });
    const of = (quantifier: string) =>
      rulesHold([oneRule(`order.items.${quantifier}`, {})], contextOf({ order }), 'FULL');
    expect(['any', 'every', 'none'].map(of)).toEqual([false, false, true]);
  });

  it('shows what the lines sell', () => {
    const order = orderPart(cart([shirt, mug, { sourceId: 'cup' }, {}]));
    const rule = oneRule('order.items.every', { $from: [{ id: 'pc_x' }], $is: [product('p')] });
    expect(evaluateRules([rule], contextOf({ order }), 'FULL', { label: 'Gift Card' }).violations).toEqual([
      {
        ruleId: 'val_1',
        path: '1',
        name: 'order.items.every',
        property: null,
        group: 'order',
        operator: '$from',
        expected: [{ id: 'pc_x' }],
        actual: ['sku_red', 'prod_mug', 'cup', null],
      },
    ]);
    const bare = evaluateRules([oneRule('order.items.any', {})], contextOf(), 'FULL', { label: 'Gift Card' });
    expect(bare.violations[0]).toMatchObject({ operator: null, expected: [], actual: [] });
  });
});

describe('explanations name the condition that lacks lines', () => {
  const from = (id: string) => [{ id }];
  it.each<[string, Conditions, CartLine[], string]>([
    ['any', { $is: [product('prod_mug')], $from: from('pc_wear') }, [mug, cup], '$from'],
    ['any', { $from: from('pc_cups'), $is: [product('prod_shirt')] }, [mug, cup], '$is'],
    ['any', { $from: from('pc_wear'), $is: [product('prod_mug')] }, [mug, shirt], '$is'],
    ['any', { $is: [product('prod_mug')], $in: [product('prod_cup')] }, [mug, cup], '$is'],
    ['any', { $is: [product('prod_x')], $from: from('pc_x') }, [mug], '$is'],
    ['any', { $from: from('pc_x'), $is: [product('prod_x')] }, [mug], '$from'],
    ['every', { $is: [collection('pc_cups')], $from: from('pc_wear') }, [mug], '$from'],
    ['every', { $from: from('pc_cups'), $is: [product('prod_mug')] }, [mug, cup], '$is'],
    ['every', { $is_not: [product('prod_x')], $in: [product('prod_mug')] }, [mug, cup], '$in'],
    ['cheapest', { $from: from('pc_cups'), $is: [product('prod_mug')] }, [mug, cup], '$is'],
    ['most_expensive', { $is: [product('prod_mug')], $from: from('pc_x') }, [mug, shirt], '$from'],
    ['none', { $from: from('pc_cups'), $is: [product('prod_mug')] }, [mug, cup], '$is'],
    ['none', { $from: from('pc_cups') }, [mug], '$from'],
  ])('%s %j', (quantifier, conditions, lines, operator) => {
    const rule = oneRule(`order.items.${quantifier}`, conditions);
    const { violations } = evaluateRules([rule], contextOf({ order: orderPart(cart(lines)) }), 'FULL', {
      label: 'Gift Card',
    });
    expect(violations).toMatchObject([{ operator, expected: conditions[operator] }]);
  });
});
