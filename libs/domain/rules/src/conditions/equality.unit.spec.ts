import { hold } from './hold.fixture';

const positive = ['$is', '$in'];
const negative = ['$is_not', '$not_in'];

/** Both positive operators, and their denials, which hold exactly where those do not. */
const expectEqual = (
  expected: boolean,
  operands: unknown[],
  value: unknown,
  kind?: 'number' | 'text' | 'ids' | 'flag',
) => {
  for (const operator of positive) expect(hold({ [operator]: operands }, value, kind)).toBe(expected);
  for (const operator of negative) expect(hold({ [operator]: operands }, value, kind)).toBe(!expected);
};

describe('equality of metadata', () => {
  it.each<[unknown, unknown, boolean]>([
    ['a', 'a', true],
    ['a', 'A', false],
    ['a', 'a ', false],
    ['', '', true],
    [5, 5, true],
    [5, 6, false],
    [5, '5', true],
    ['5', 5, true],
    ['5.0', 5, false],
    ['05', 5, false],
    [0.1, '0.1', true],
    [1.5, 1.5, true],
    [true, true, true],
    [true, 'true', true],
    ['false', false, true],
    [true, 1, false],
    [1, true, false],
    [false, '', false],
    [0, false, false],
    ['2026-01-01', '2026-01-01', true],
    ['null', 'null', true],
    [9_007_199_254_740_991, '9007199254740991', true],
    ['9007199254740993', '9007199254740992', false],
    [{ a: 1 }, '[object Object]', false],
    [{ a: 1 }, 'a', false],
  ])('of %j to %j is %p', (value, operand, expected) => {
    expectEqual(expected, [operand], value);
    expectEqual(expected, [operand, 'something else'], value);
    expectEqual(expected, ['something else', operand], value);
  });

  it('is to none of no operands', () => {
    expectEqual(false, [], 'a');
    expectEqual(false, [], ['a']);
    expectEqual(false, [], null);
  });

  it.each<[unknown[], unknown[], boolean]>([
    [['a', 'b'], ['b'], true],
    [['a', 'b'], ['c'], false],
    [['a', 'b'], ['c', 'b'], true],
    [['a', 'b'], ['c', 'd'], false],
    [[], ['a'], false],
    [[], ['a', 'b'], false],
    [[1, '2', true], ['1'], true],
    [[1, '2', true], [2], true],
    [[1, '2', true], ['true'], true],
    [[null, undefined], ['null', 'undefined'], false],
    [[['a']], ['a'], false],
    [[{}, 'a'], ['a'], true],
  ])('of the list %j to %j needs one equal element: %p', (value, operands, expected) => {
    expectEqual(expected, operands, value);
  });

  it('finds one of many operands', () => {
    const operands = Array.from({ length: 1_000 }, (_, index) => `c_${index}`);
    expectEqual(true, operands, 'c_999');
    expectEqual(false, operands, 'c_1000');
    expectEqual(false, operands, undefined);
  });
});

describe('equality of numbers', () => {
  it.each<[unknown, unknown, boolean]>([
    [5, 5, true],
    [5, 6, false],
    [5, '5', true],
    [5, '5.00', true],
    ['5.0', 5, true],
    ['5', 5, true],
    [0, -0, true],
    [0.3, '0.3', true],
    [0.3, '0.300000000000000000', true],
    [0.3, '0.300000000000000001', false],
    [1_000, '1e3', true],
    ['1E+3', 1_000, true],
    [9_007_199_254_740_992, '9007199254740992', true],
    [9_007_199_254_740_992, '9007199254740993', false],
    ['9007199254740993', '9007199254740993', true],
    ['9007199254740993.0', '9007199254740993', true],
    ['9007199254740993', '9007199254740995', false],
    ['abc', 5, false],
    ['', 0, false],
    [true, 1, false],
    [null, 0, false],
    [undefined, 0, false],
    [NaN, 0, false],
    [Infinity, '1e999', false],
    ['1e999', '10e998', true],
  ])('of %p to %p is by value: %p', (value, operand, expected) => {
    expectEqual(expected, [operand], value, 'number');
    expectEqual(expected, [operand, 77], value, 'number');
  });
});

describe('equality of other kinds', () => {
  it('compares texts and ids, also of values of another type', () => {
    expectEqual(true, ['app_1'], 'app_1', 'text');
    expectEqual(false, ['app_1'], 'APP_1', 'text');
    expectEqual(true, ['12'], 12, 'text');
    expectEqual(true, ['seg_2'], ['seg_1', 'seg_2'], 'ids');
    expectEqual(false, ['seg_3'], ['seg_1', 'seg_2'], 'ids');
    expectEqual(false, ['seg_3'], [], 'ids');
  });

  it('compares flags', () => {
    expectEqual(true, [true], true, 'flag');
    expectEqual(false, [true], false, 'flag');
    expectEqual(true, [false], false, 'flag');
    expectEqual(true, [true, false], false, 'flag');
    expectEqual(false, [true], undefined, 'flag');
  });
});
