import type { CodeConfig } from '@scrip/contracts/campaigns';
import * as fc from 'fast-check';
import { alphabetOf, foldCode, placeholdersIn } from './code-config';
import { codeSpace } from './code-space';
import { findFreeCodes } from './free-codes';
import { randomIndexes } from './random-indexes';

const configs = fc
  .record({
    charset: fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme-ascii' }),
    pattern: fc.string({ maxLength: 6, unit: fc.constantFrom('#', 'a', '-', '0') }),
    prefix: fc.string({ maxLength: 3 }),
    postfix: fc.string({ maxLength: 3 }),
  })
  .map((config): CodeConfig => ({ ...config, length: placeholdersIn(config.pattern) }));

const small = (config: CodeConfig): boolean => config.charset.length ** config.length <= 2_000;

/** Whether the code is prefix, pattern with letters of the charset at its `#`, postfix. */
const fits = (code: string, config: CodeConfig, caseSensitive: boolean): boolean => {
  const letters = new Set(alphabetOf(config.charset, caseSensitive));
  const template =
    config.prefix.replaceAll('#', '\u0001') + config.pattern + config.postfix.replaceAll('#', '\u0001');
  return (
    code.length === template.length &&
    [...template].every((expected, at) =>
      expected === '#' ? letters.has(code.charAt(at)) : code.charAt(at) === expected.replace('\u0001', '#'),
    )
  );
};

describe('codes of a configuration', () => {
  test('a random code is prefix, filled pattern and postfix', () => {
    fc.assert(
      fc.property(configs, fc.boolean(), (config, caseSensitive) => {
        const code = codeSpace(config, caseSensitive, randomIndexes()).random();
        expect(fits(code, config, caseSensitive)).toBe(true);
      }),
    );
  });

  test('a walk meets every code exactly once', () => {
    fc.assert(
      fc.property(configs.filter(small), fc.boolean(), (config, caseSensitive) => {
        const space = codeSpace(config, caseSensitive, randomIndexes());
        const codes = [...(space.walk() ?? [])];
        expect(new Set(codes.map((code) => foldCode(code, caseSensitive))).size).toBe(codes.length);
        expect(BigInt(codes.length)).toBe(space.capacity);
        expect(codes.every((code) => fits(code, config, caseSensitive))).toBe(true);
      }),
    );
  });

  test('a space of more than 2^48 codes is not walked', () => {
    const config: CodeConfig = {
      charset: 'ab',
      pattern: '#'.repeat(49),
      prefix: '',
      postfix: '',
      length: 49,
    };
    expect(codeSpace(config, true, randomIndexes()).walk()).toBeUndefined();
    expect(codeSpace({ ...config, pattern: '#'.repeat(48) }, true, randomIndexes()).walk()).toBeDefined();
  });
});

describe('random indexes', () => {
  test('draws beyond the last whole multiple are thrown away', () => {
    const bytes = Buffer.from([255, 250, 249, 10]); // 250 = 25 × 10: 250…255 would favour 0…5
    const next = randomIndexes(() => bytes);
    expect([next(10), next(10)]).toEqual([9, 0]);
  });

  test('each of ten indexes comes about equally often', () => {
    const next = randomIndexes();
    const counts = Array.from({ length: 10 }, () => 0);
    for (let draw = 0; draw < 20_000; draw += 1) counts[next(10)]! += 1;
    // Twelve standard deviations: fails by chance less than once in 10^30 runs.
    expect(Math.max(...counts.map((count) => Math.abs(count - 2_000)))).toBeLessThan(510);
  });

  test('indexes stay below their bound', () => {
    const next = randomIndexes();
    fc.assert(fc.property(fc.integer({ min: 1, max: 2 ** 48 }), (bound) => next(bound) < bound));
  });
});

describe('free codes', () => {
  const tenDigits: CodeConfig = { charset: '0123456789', pattern: '#', prefix: '', postfix: '', length: 1 };
  const sixDigits: CodeConfig = { ...tenDigits, pattern: '######', length: 6 };
  const find = (config: CodeConfig, isTaken: (key: string) => boolean, count: number) =>
    findFreeCodes(
      {
        space: codeSpace(config, true, randomIndexes()),
        keyOf: (code) => code,
        takenKeys: (keys) => Promise.resolve(new Set(keys.filter(isTaken))),
      },
      count,
    );

  test('a request equal to the free capacity succeeds', async () => {
    const found = await find(tenDigits, (key) => key < '3', 7);
    expect(found.map(({ code }) => code).sort()).toEqual(['3', '4', '5', '6', '7', '8', '9']);
  });

  test('one more finds all there are', async () => {
    expect(await find(tenDigits, (key) => key < '3', 8)).toHaveLength(7);
  });

  test('guessing gives way to looking at every code when nearly all are taken', async () => {
    const found = await find(sixDigits, (key) => Number(key) % 1_000 !== 7, 1_000);
    expect(found).toHaveLength(1_000);
    expect(found.every(({ code }) => Number(code) % 1_000 === 7)).toBe(true);
  });

  test('found codes are free, different, and as many as wanted', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(99), { maxLength: 90 }), fc.nat(120), async (taken, count) => {
        const config = { ...tenDigits, pattern: '##', length: 2 };
        const found = await find(config, (key) => taken.includes(Number(key)), count);
        expect(new Set(found.map(({ key }) => key)).size).toBe(Math.min(count, 100 - taken.length));
        expect(found.some(({ key }) => taken.includes(Number(key)))).toBe(false);
      }),
    );
  });
});
