import { contextOf, formulaOf, line, order, resultOf } from './evaluation.fixture';
import { compileFormula } from './formula';
import { isFormulaProblem } from './problem';

const nothing = contextOf();

describe('worked examples', () => {
  it.each([
    [
      'reference 01 §11',
      'IF(ORDER_AMOUNT > 300;ORDER_ITEM_PRICE * 0.8;ORDER_ITEM_PRICE)',
      46_500,
      6_500,
      5_200,
    ],
    [
      'reference 01 §11',
      'IF(ORDER_AMOUNT > 300;ORDER_ITEM_PRICE * 0.8;ORDER_ITEM_PRICE)',
      30_000,
      6_500,
      6_500,
    ],
    ['reference 02 §6', 'ORDER_ITEM_PRICE * 0.01 + 1', 0, 600, 106],
    ['reference 02 §6', 'ORDER_ITEM_PRICE * 0.01 + 1', 0, 1_000, 110],
    ['reference 01 §8', 'ORDER_AMOUNT', 46_500, 0, 46_500],
    ['reference 01 §8', '15', 0, 0, 1_500],
  ])('%s: %s with order %d and price %d is %d', (_, text, amount, price, result) => {
    const context = contextOf({ order: order({ amount }), line: line({ price }) });
    expect(formulaOf(text).amount(context)).toBe(result);
  });

  it('reference 01 §11: 5 % for each of 5 bundles are 25 %', () => {
    expect(resultOf('5 * ORDER_BUNDLE_QUANTITY', { order: order({ bundleQuantity: 5 }) })).toBe('25');
  });
});

describe('an amount', () => {
  it.each([
    ['1.234', 123],
    ['1.235', 124],
    ['1.2349', 123],
    ['-1.235', -123],
    ['-1.236', -124],
    ['-0.004', 0],
    ['0 * -1', 0],
    ['1 / 3', 33],
    ['2 / 3', 67],
    ['0.015 / 3 * 3', 2],
    ['90071992547409.91', 9_007_199_254_740_991],
    ['90071992547409.92', null],
    ['-90071992547409.91', -9_007_199_254_740_991],
    ['-90071992547409.92', null],
    ['90071992547409.914', 9_007_199_254_740_991],
    ['POW(10;100)', null],
    ['1 / 0', null],
    ['DEFAULT_TO(ORDER_AMOUNT;"none")', null],
  ])('is in minor units, rounded half up: %s → %s', (text, amount) => {
    expect(formulaOf(text).amount(nothing)).toBe(amount);
  });
});

describe('a count of units', () => {
  it.each([
    ['2', 2],
    ['2.999', 2],
    ['10 / 3 * 3', 10],
    ['0.9', 0],
    ['0', 0],
    ['-0.5', 0],
    ['-3', 0],
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740991.9', 9_007_199_254_740_991],
    ['9007199254740992', null],
    ['1 / 0', null],
    ['DEFAULT_TO(ORDER_AMOUNT;"none")', null],
  ])('is whole and not negative: %s → %s', (text, units) => {
    expect(formulaOf(text).units(nothing)).toBe(units);
  });
});

describe('a decimal', () => {
  it.each([
    ['12.50', '12.5'],
    ['100 / 3', '33.333333333333333333333333'],
    ['1 / 3 * 3', '1'],
    ['0 * -1', '0'],
    ['-0.0000000001', '-0.0000000001'],
    ['0.0000001', '0.0000001'],
    ['POW(10;25)', '10000000000000000000000000'],
    ['1 / 0', null],
  ])('is plain text: %s → %s', (text, decimal) => {
    expect(formulaOf(text).decimal(nothing)).toBe(decimal);
  });
});

describe('a formula', () => {
  it('knows its text, its operands and whether it needs a line', () => {
    const text = 'MAX(ORDER_AMOUNT;MIN(ORDER_METADATA("a") + ORDER_METADATA("b");ORDER_ITEM_PRICE))';
    const formula = formulaOf(text);
    expect(formula.text).toBe(text);
    expect(formula.operands).toEqual(new Set(['ORDER_AMOUNT', 'ORDER_METADATA', 'ORDER_ITEM_PRICE']));
    expect(formula.readsLine).toBe(true);
    expect(formulaOf('ORDER_ITEM_PRICE + ORDER_AMOUNT').readsLine).toBe(true);
    expect(formulaOf('ORDER_AMOUNT').readsLine).toBe(false);
    expect(formulaOf('1').operands).toEqual(new Set());
  });

  it('knows the operands of every branch', () => {
    const text =
      'SWITCH(ORDER_AMOUNT;SWITCH_CASE(ORDER_UNITS_QUANTITY;ORDER_ITEMS_QUANTITY);-ORDER_BUNDLE_QUANTITY)';
    expect([...formulaOf(text).operands].sort()).toEqual([
      'ORDER_AMOUNT',
      'ORDER_BUNDLE_QUANTITY',
      'ORDER_ITEMS_QUANTITY',
      'ORDER_UNITS_QUANTITY',
    ]);
  });

  it('is compiled once for each text, problems as well', () => {
    expect(compileFormula('1 + 41')).toBe(compileFormula('1 + 41'));
    expect(compileFormula('1 +')).toBe(compileFormula('1 +'));
    expect(compileFormula('1 + 42')).not.toBe(compileFormula('1 + 41'));
  });

  it('of too many characters is not remembered', () => {
    const text = ' '.repeat(2_001);
    expect(compileFormula(text)).toEqual(compileFormula(text));
    expect(compileFormula(text)).not.toBe(compileFormula(text));
    const longest = ' '.repeat(2_000);
    expect(compileFormula(longest)).toBe(compileFormula(longest));
  });

  it('is forgotten after a thousand others', () => {
    const first = compileFormula('1 + 0.5');
    for (let other = 0; other < 999; other += 1) compileFormula(`2 + ${other}`);
    expect(compileFormula('1 + 0.5')).toBe(first);
    for (let other = 0; other < 1_000; other += 1) compileFormula(`3 + ${other}`);
    expect(compileFormula('1 + 0.5')).not.toBe(first);
  });

  it('looks at nothing it has no operand for', () => {
    const watched = new Proxy(contextOf(), {
      get: (_, key) => {
        if (key === 'timezone') return 'UTC';
        throw new Error(`read: ${String(key)}`);
      },
    });
    expect(formulaOf('ROUND(1 / 3;1) * IF(1 > 2;ORDER_AMOUNT;10)').decimal(watched)).toBe('3');
  });

  it('is told from a problem', () => {
    expect(isFormulaProblem(compileFormula('1'))).toBe(false);
    expect(isFormulaProblem(compileFormula('('))).toBe(true);
  });
});
