import { hold } from './hold.fixture';

describe('counting elements', () => {
  it.each<[unknown, number, boolean[]]>([
    [['a', 'b'], 1, [false, true, false]],
    [['a', 'b'], 2, [true, false, false]],
    [['a', 'b'], 3, [false, false, true]],
    [['a', 'a', null], 3, [true, false, false]],
    [[], 0, [true, false, false]],
    [[], 1, [false, false, true]],
    [undefined, 0, [true, false, false]],
    [undefined, 1, [false, false, true]],
    [null, 0, [true, false, false]],
    [null, 1, [false, false, true]],
    ['abc', 1, [true, false, false]],
    ['', 1, [true, false, false]],
    [0, 0, [false, true, false]],
    [{ length: 5 }, 1, [true, false, false]],
  ])('of %j against %p', (value, operand, expected) => {
    for (const kind of ['metadata', 'ids'] as const) {
      const holds = (operator: string) => hold({ [operator]: [operand] }, value, kind);
      expect(['$count', '$count_more', '$count_less'].map(holds)).toEqual(expected);
    }
  });

  it('needs one of the operands', () => {
    expect(hold({ $count: [1, 2] }, ['a', 'b'])).toBe(true);
    expect(hold({ $count: [1, 3] }, ['a', 'b'])).toBe(false);
    expect(hold({ $count_more: [5, 1] }, ['a', 'b'])).toBe(true);
    expect(hold({ $count: [] }, [])).toBe(false);
  });
});

describe('$not_differ', () => {
  it.each<[unknown, unknown[], boolean]>([
    [['a', 'b'], ['a', 'b'], true],
    [['b', 'a'], ['a', 'b'], true],
    [['a', 'a', 'b'], ['a', 'b', 'b'], true],
    [['a'], ['a', 'b'], false],
    [['a', 'b', 'c'], ['a', 'b'], false],
    [['a', 'c'], ['a', 'b'], false],
    [['A'], ['a'], false],
    [[5, true], ['5', 'true'], true],
    [['5'], [5], true],
    [[], [], true],
    [[], ['a'], false],
    [['a'], [], false],
    ['a', ['a'], true],
    ['a', ['a', 'b'], false],
    [['a', null], ['a'], false],
    [['a', {}], ['a'], false],
    [{}, [], false],
    [null, [], false],
    [undefined, [], false],
    [undefined, ['a'], false],
  ])('of %j and %j is %p', (value, operands, expected) => {
    expect(hold({ $not_differ: operands }, value)).toBe(expected);
  });

  it('compares ids', () => {
    expect(hold({ $not_differ: ['seg_1', 'seg_2'] }, ['seg_2', 'seg_1'], 'ids')).toBe(true);
    expect(hold({ $not_differ: ['seg_1', 'seg_2'] }, ['seg_2'], 'ids')).toBe(false);
  });
});

describe('$not_intersect', () => {
  it.each<[unknown, unknown[], boolean]>([
    [['a', 'b'], ['b', 'c'], false],
    [['a', 'b'], ['c', 'd'], true],
    [['a', 'b'], ['B'], true],
    [['a'], ['a'], false],
    [[5], ['5'], false],
    [[], ['a'], true],
    [['a'], [], true],
    ['a', ['a', 'b'], false],
    ['c', ['a', 'b'], true],
    [null, ['a'], true],
    [undefined, ['a', 'b'], true],
  ])('of %j and %j is %p', (value, operands, expected) => {
    expect(hold({ $not_intersect: operands }, value)).toBe(expected);
  });

  it('compares ids', () => {
    expect(hold({ $not_intersect: ['seg_1', 'seg_2'] }, ['seg_2'], 'ids')).toBe(false);
    expect(hold({ $not_intersect: ['seg_1', 'seg_2'] }, ['seg_3'], 'ids')).toBe(true);
  });
});
