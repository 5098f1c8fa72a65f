import { changedLine } from '../order/order-state';
import { type ApplicationRule, coveredUnits } from './application-rule';
import type { CoveredUnits } from './coverage';
import { orderOf, pricedOrder } from './scoping.fixture';

const unitNumbers = ({ first, step, count }: CoveredUnits): number[] =>
  Array.from({ length: count }, (_, position) => first + position * step);

const listed = (units: readonly CoveredUnits[]): [index: number, units: number[]][] =>
  units.map((one) => [one.index, unitNumbers(one)]);

/** Lines and their unit numbers that `rule` covers of all lines of an order. */
const coveredOf = (order: ReturnType<typeof orderOf>, rule: ApplicationRule): [number, number[]][] =>
  listed(
    coveredUnits(
      order.lines,
      order.lines.map((_, index) => index),
      rule,
    ),
  );

const lineNumbers = (prices: (number | undefined)[], rule: ApplicationRule): number[] =>
  coveredOf(pricedOrder(prices), rule).map(([index]) => index);

describe('cart C2 of reference 01 §11: shirt 3, poster 5, mug 2, socks 4', () => {
  const cart = orderOf([
    { product_id: 'shirt', price: 2000, quantity: 3 },
    { product_id: 'poster', price: 1500, quantity: 5 },
    { product_id: 'mug', price: 1000, quantity: 2 },
    { product_id: 'socks', price: 500, quantity: 4 },
  ]);
  const rule = { effect: 'APPLY_FROM_MOST_EXPENSIVE', skip_initially: 1, repeat: 2 } as const;

  test('by line: poster and socks', () => {
    const lines = [
      [1, [1, 2, 3, 4, 5]],
      [3, [1, 2, 3, 4]],
    ];
    expect(coveredOf(cart, { ...rule, target: 'ITEM' })).toEqual(lines);
    expect(coveredOf(cart, rule)).toEqual(lines);
  });

  test('by unit: shirt 1, poster 3, mug 1, socks 2, numbering continues', () => {
    expect(coveredOf(cart, { ...rule, target: 'UNIT' })).toEqual([
      [0, [2]],
      [1, [1, 3, 5]],
      [2, [2]],
      [3, [2, 4]],
    ]);
  });
});

describe('which resources of a sequence are covered (reference 01 §6)', () => {
  const tenUnits = orderOf([{ product_id: 'prod_mug', quantity: 10 }]);
  const cases: [skip: number | undefined, repeat: number | undefined, units: number[]][] = [
    [undefined, undefined, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    [0, 1, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    [1, 3, [2, 5, 8]],
    [0, 3, [1, 4, 7, 10]],
    [2, 1, [3, 4, 5, 6, 7, 8, 9, 10]],
    [9, 1, [10]],
    [10, 1, []],
    [11, 1, []],
    [0, 9, [1, 10]],
    [0, 10, [1]],
    [3, 100, [4]],
    [-1, 0, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    [1.9, 3.9, [2, 5, 8]],
  ];

  const ruleOf = (skip_initially: number | undefined, repeat: number | undefined): ApplicationRule => ({
    ...(skip_initially !== undefined && { skip_initially }),
    ...(repeat !== undefined && { repeat }),
  });

  test.each(cases)('of ten units, skip %p and repeat %p cover %p', (skip, repeat, units) => {
    const rule: ApplicationRule = { ...ruleOf(skip, repeat), target: 'UNIT' };
    expect(coveredOf(tenUnits, rule)).toEqual(units.length === 0 ? [] : [[0, units]]);
  });

  test.each(cases)('of ten lines, skip %p and repeat %p cover %p', (skip, repeat, lines) => {
    const indices = lines.map((line) => line - 1);
    expect(lineNumbers(Array<number>(10).fill(100), ruleOf(skip, repeat))).toEqual(indices);
  });

  test('the numbering of units continues across lines, of which some may have none', () => {
    const order = orderOf([3, 1, 1, 4, 2].map((quantity) => ({ quantity })));
    expect(coveredOf(order, { target: 'UNIT', skip_initially: 1, repeat: 4 })).toEqual([
      [0, [2]],
      [3, [1]],
      [4, [1]],
    ]);
    expect(coveredOf(order, { target: 'UNIT', skip_initially: 4, repeat: 1 })).toEqual([
      [2, [1]],
      [3, [1, 2, 3, 4]],
      [4, [1, 2]],
    ]);
  });

  test('only paid units are numbered and covered', () => {
    const [first, second] = orderOf([{ quantity: 3 }, { quantity: 3 }]).lines;
    const lines = [changedLine(first!, { freeQuantity: 1 }), second!];
    expect(listed(coveredUnits(lines, [0, 1], {}))).toEqual([
      [0, [1, 2]],
      [1, [1, 2, 3]],
    ]);
    expect(listed(coveredUnits(lines, [0, 1], { target: 'UNIT', skip_initially: 1, repeat: 2 }))).toEqual([
      [0, [2]],
      [1, [2]],
    ]);
  });

  test('millions of units cost nothing', () => {
    const [line] = orderOf([{ quantity: 9_000_000_001 }]).lines;
    expect(coveredUnits([line!], [0], { target: 'UNIT', skip_initially: 1, repeat: 3 })).toEqual([
      { index: 0, first: 2, step: 3, count: 3_000_000_000 },
    ]);
  });
});

describe('sequences (reference 01 §6)', () => {
  const prices = [300, undefined, 100, 300, 200, 100, undefined];
  test.each<[ApplicationRule['effect'], number[]]>([
    [undefined, [0, 1, 2, 3, 4, 5, 6]],
    ['APPLY_TO_EVERY', [0, 1, 2, 3, 4, 5, 6]],
    ['APPLY_FROM_CHEAPEST', [2, 5, 4, 0, 3, 1, 6]],
    ['APPLY_FROM_MOST_EXPENSIVE', [0, 3, 4, 2, 5, 1, 6]],
    ['APPLY_TO_CHEAPEST', [2]],
    ['APPLY_TO_MOST_EXPENSIVE', [0]],
  ])('%s covers in this order: %j', (effect, sequence) => {
    expect(lineNumbers(prices, effect ? { effect } : {})).toEqual(sequence);
  });

  test('only matched lines take part', () => {
    const { lines } = pricedOrder([100, 200, 300, 50]);
    const ofTwo = (effect: ApplicationRule['effect']): number[] =>
      coveredUnits(lines, [1, 2], { ...(effect && { effect }) }).map(({ index }) => index);
    expect(ofTwo('APPLY_TO_EVERY')).toEqual([1, 2]);
    expect(ofTwo('APPLY_FROM_CHEAPEST')).toEqual([1, 2]);
    expect(ofTwo('APPLY_FROM_MOST_EXPENSIVE')).toEqual([2, 1]);
    expect(ofTwo('APPLY_TO_CHEAPEST')).toEqual([1]);
    expect(ofTwo('APPLY_TO_MOST_EXPENSIVE')).toEqual([2]);
  });

  test.each(['APPLY_TO_CHEAPEST', 'APPLY_TO_MOST_EXPENSIVE'] as const)(
    '%s: of equal prices the lowest subtotal, then the first',
    (effect) => {
      const one = [3, 2, 2].map((quantity) => ({ price: 100, quantity }));
      expect(coveredOf(orderOf(one), { effect })).toEqual([[1, [1, 2]]]);
      const { lines } = orderOf(one);
      const discounted = [lines[0]!, lines[1]!, changedLine(lines[2]!, { discountAmount: 1 })];
      expect(coveredUnits(discounted, [0, 1, 2], { effect }).map(({ index }) => index)).toEqual([2]);
    },
  );

  test.each([
    ['APPLY_TO_CHEAPEST', 1],
    ['APPLY_TO_MOST_EXPENSIVE', 0],
  ] as const)('%s is a single resource: one line, or one unit of it', (effect, index) => {
    const order = orderOf([
      { price: 500, quantity: 3 },
      { price: 200, quantity: 3 },
    ]);
    expect(coveredOf(order, { effect })).toEqual([[index, [1, 2, 3]]]);
    expect(coveredOf(order, { effect, repeat: 2 })).toEqual([[index, [1, 2, 3]]]);
    expect(coveredOf(order, { effect, target: 'UNIT' })).toEqual([[index, [1]]]);
    expect(coveredOf(order, { effect, target: 'UNIT', repeat: 2 })).toEqual([[index, [1]]]);
    expect(coveredOf(order, { effect, skip_initially: 1 })).toEqual([]);
    expect(coveredOf(order, { effect, target: 'UNIT', skip_initially: 1 })).toEqual([]);
  });

  test.each(['APPLY_TO_CHEAPEST', 'APPLY_TO_MOST_EXPENSIVE'] as const)(
    '%s: without any price there is none',
    (effect) => {
      expect(lineNumbers([undefined, undefined], { effect })).toEqual([]);
    },
  );

  test('where only amounts are known, prices are amounts per unit', () => {
    const order = orderOf([{ amount: 1000, quantity: 3 }, { amount: 600, quantity: 2 }, { price: 320 }]);
    const sequence = coveredOf(order, { effect: 'APPLY_FROM_CHEAPEST' }).map(([index]) => index);
    expect(sequence).toEqual([1, 2, 0]);
  });
});
