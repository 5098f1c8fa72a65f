import { evaluateRules, rulesHold } from '../evaluation/evaluate-rules';
import { type CartLine, cart, contextOf, oneRule, orderPart, ruleObject } from '../rules.fixture';

const product = (id: string) => ({ object: 'product', id });
const sku = (id: string) => ({ object: 'sku', id });
const collection = (id: string) => ({ object: 'products_collection', id });

type Conditions = Readonly<Record<string, readonly unknown[]>>;

const holds = (
  quantifier: string,
  conditions: Conditions,
  lines: readonly CartLine[],
  rules: Readonly<Record<string, unknown>> = {},
): boolean =>
  rulesHold(
    [oneRule(quantifier.includes('.') ? quantifier : `order.items.${quantifier}`, conditions, { rules })],
    contextOf({ order: orderPart(cart(lines)) }),
    'FULL',
  );

const mug: CartLine = { product: 'prod_mug', price: 1000, collections: ['pc_cups'] };
const cup: CartLine = { product: 'prod_cup', price: 500, collections: ['pc_cups'] };
const shirt: CartLine = { product: 'prod_shirt', sku: 'sku_red', price: 2000, collections: ['pc_wear'] };

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

describe('rules below them (3.2)', () => {
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
      path: '1.1',
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
