import { hold } from './hold.fixture';

describe('searching texts', () => {
  it.each<[string, unknown, string, boolean]>([
    ['$starts_with', 'summer-sale', 'summer', true],
    ['$starts_with', 'summer-sale', 'Summer', false],
    ['$starts_with', 'summer-sale', 'sale', false],
    ['$starts_with', 'summer', 'summer', true],
    ['$starts_with', 'summe', 'summer', false],
    ['$ends_with', 'summer-sale', 'sale', true],
    ['$ends_with', 'summer-sale', 'SALE', false],
    ['$ends_with', 'summer-sale', 'summer', false],
    ['$contains', 'summer-sale', 'mer-s', true],
    ['$contains', 'summer-sale', 'summer-sale', true],
    ['$contains', 'summer-sale', 'summer sale', false],
    ['$contains', 'summer-sale', 'SUMMER', false],
    ['$contains', 'a.c', 'a.c', true],
    ['$contains', 'abc', 'a.c', false],
    ['$starts_with', 123, '12', true],
    ['$ends_with', 123, '23', true],
    ['$contains', 1.5, '.', true],
    ['$contains', true, 'ru', true],
    ['$contains', {}, 'object', false],
    ['$starts_with', 'a', '', true],
    ['$ends_with', {}, '', false],
    ['$contains', ['xa', 'bcd'], 'cd', true],
    ['$starts_with', ['xa', 'bcd'], 'a', false],
    ['$ends_with', ['xa', null, 7], 'a', true],
    ['$ends_with', [null, undefined, ['a']], 'a', false],
    ['$contains', [], '', false],
  ])('%s: %j with %j is %p', (operator, value, operand, expected) => {
    for (const kind of ['metadata', 'text', 'ids'] as const) {
      expect(hold({ [operator]: [operand] }, value, kind)).toBe(expected);
      expect(hold({ [operator]: ['nowhere', operand] }, value, kind)).toBe(expected);
    }
  });

  it('finds nothing without operands', () => {
    expect(hold({ $contains: [] }, 'abc')).toBe(false);
  });
});
