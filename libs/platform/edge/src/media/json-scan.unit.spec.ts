import { hasForbiddenCharacters } from '@scrip/kernel';
import fc from 'fast-check';
import { pathAt, scanJson } from './json-scan';

const pathIn = (raw: string): string | null => {
  const { forbiddenAt } = scanJson(raw);
  return forbiddenAt === null ? null : pathAt(raw, forbiddenAt);
};

describe('a scan of JSON', () => {
  test.each([
    ['{"a":"\\u0000"}', '.a'],
    ['{"a":[1,{"b":[2,"x\\ud800"]}]}', '.a[1].b[1]'],
    ['{"a":{"b\\u0000":1}}', '.a.b\\u0000'],
    ['"\\u0000"', ''],
    ['["\\ud83d\\ude00","\\ude00"]', '[1]'],
    ['{"a":{"c":1},"b":"\\uD800\\u0041"}', '.b'],
    ['{"a":"\\uD83D\\uDE00"}', null],
    ['{"a":"\\\\u0000 \\\\ud800"}', null],
    ['{"a":"\\"{[","\\u0062":"\\u0041"}', null],
  ])('finds in %s the path %s', (raw, path) => {
    expect(pathIn(raw)).toBe(path);
  });

  test.each([
    ['1', 0],
    ['{"a":[[]],"b":{}}', 3],
    ['"[[[["', 0],
    ['{"a\\"[[":"]]"}', 1],
  ])('measures %s to be %i deep', (raw, deepest) => {
    expect(scanJson(raw).deepest).toBe(deepest);
  });

  it('agrees with a walk of what was parsed', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('a\0', '\ud800', 'x\udc00', '😀', '\\u0000'),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer(),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(text, tie('value'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(value, (parsed) => {
        expect(pathIn(JSON.stringify(parsed))).toBe(
          hasForbiddenCharacters(JSON.parse(JSON.stringify(parsed))),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('counts a megabyte of elements', () => {
    const raw = `{"a":[${'0,'.repeat(520_000)}"\\u0000"]}`;
    expect(pathIn(raw)).toBe('.a[520000]');
  });
});
