import { beginningOf, hasForbiddenCharacters, shortened } from './text';

describe('hasForbiddenCharacters', () => {
  it.each([
    ['a NUL in a value', { items: [{ name: 'ok' }, { name: 'a\0b' }] }, '.items[1].name'],
    ['a high surrogate alone', { a: { b: '\ud83d' } }, '.a.b'],
    ['a low surrogate alone', ['x', 'y\udc00z'], '[1]'],
    ['a pair the wrong way round', { a: '\ude00\ud83d' }, '.a'],
    ['a NUL in a key', { a: { 'k\0': 1 } }, '.a.k\\u0000'],
    ['a text by itself', '\0', ''],
    ['the first of several', { a: ['\0'], b: '\0' }, '.a[0]'],
  ])('finds %s', (_, value, path) => expect(hasForbiddenCharacters(value)).toBe(path));

  it.each([[{ a: ['plain', '😀', 'ż', 1, null, true], b: {} }], [null], [undefined], ['']])(
    'accepts %p',
    (value) => expect(hasForbiddenCharacters(value)).toBeNull(),
  );

  it('survives deep nesting', () => {
    const depth = 20_000;
    const deep: unknown = JSON.parse('['.repeat(depth) + '"\\u0000"' + ']'.repeat(depth));
    expect(hasForbiddenCharacters(deep)).toBe('[0]'.repeat(depth));
  });
});

describe('beginningOf', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc'],
    ['ab😀', 4, 'ab😀'],
    ['ab😀', 3, 'ab'],
    ['ab😀d', 4, 'ab😀'],
  ])('%s, cut to %d units: %s', (text, units, beginning) => expect(beginningOf(text, units)).toBe(beginning));
});

describe('shortened', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc…'],
    ['ab😀d', 3, 'ab…'],
  ])('%s, to %d units: %s', (text, units, shown) => expect(shortened(text, units)).toBe(shown));
});
