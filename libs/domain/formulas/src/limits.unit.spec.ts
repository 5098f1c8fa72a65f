import { leastCpuMs } from '@scrip/testing';
import { checkFormula } from './check';
import { problemOf, resultOf } from './evaluation.fixture';
import { parseFormula } from './parser';

const tooDeep = (offset: number) => ({
  problem: 'too_deep',
  message: 'Brackets and signs may be nested at most 32 deep.',
  offset,
});

const tooLong = {
  problem: 'too_long',
  message: 'A formula may have at most 2000 characters.',
  offset: 2000,
};

const refuse = (text: string): object | null => {
  const tree = parseFormula(text);
  return 'problem' in tree ? tree : checkFormula(tree);
};

const quickestMs = (run: () => void): number => leastCpuMs(run, { runs: 5 });

describe('limits', () => {
  it('take 2000 characters, not one more', () => {
    expect(resultOf('1'.padEnd(2000))).toBe('1');
    expect(problemOf('1'.padEnd(2001))).toEqual(tooLong);
  });

  it('take 32 open brackets, not one more', () => {
    const nested = (depth: number): string => `${'('.repeat(depth)}1${')'.repeat(depth)}`;
    expect(resultOf(nested(32))).toBe('1');
    expect(problemOf(nested(33))).toEqual(tooDeep(32));
    expect(resultOf(`${'MIN('.repeat(32)}1${')'.repeat(32)}`)).toBe('1');
    expect(problemOf(`${'MIN('.repeat(33)}1${')'.repeat(33)}`)).toEqual(tooDeep(131));
  });

  it('count brackets that are open, not those closed before', () => {
    expect(resultOf(Array(40).fill('(1)').join('+'))).toBe('40');
  });

  it('take 32 minus signs in a row, not one more', () => {
    expect(resultOf(`${'-'.repeat(32)}1`)).toBe('1');
    expect(problemOf(`${'-'.repeat(33)}1`)).toEqual(tooDeep(32));
    expect(resultOf(Array(41).fill('1').join('-'))).toBe('-39');
  });

  it('take 1000 steps, not one more', () => {
    expect(resultOf(`${'1+'.repeat(499)}-1`)).toBe('498');
    expect(problemOf(`${'1+'.repeat(500)}1`)).toEqual({
      problem: 'too_long',
      message: 'A formula may take at most 1000 steps, not 1001.',
      offset: 0,
    });
  });

  it('count a power as a hundred steps', () => {
    // 102 for each of nine with its arguments, and eight signs: 926.
    expect(resultOf(Array(9).fill('POW(1;1)').join('+'))).toBe('9');
    expect(problemOf(Array(10).fill('POW(1;1)').join('+'))).toEqual({
      problem: 'too_long',
      message: 'A formula may take at most 1000 steps, not 1029.',
      offset: 0,
    });
  });

  it('take numbers of 40 digits, not one more', () => {
    expect(resultOf('9'.repeat(40))).toBe('9'.repeat(40));
    expect(problemOf(`1 + ${'9'.repeat(41)}`)).toEqual({
      problem: 'too_long',
      message: 'A number may have at most 40 digits.',
      offset: 4,
    });
  });

  it('take exponents to 1000 in either direction, and fail beyond', () => {
    expect(resultOf('POW(1;1000)')).toBe('1');
    expect(resultOf('POW(1;-1000)')).toBe('1');
    expect(resultOf('POW(1;1001)')).toBeNull();
    expect(resultOf('POW(1;-1001)')).toBeNull();
  });

  it('end at 10^100: what is larger fails, what is smaller is 0', () => {
    expect(resultOf('POW(10;100) / POW(10;100)')).toBe('1');
    expect(resultOf('POW(10;101) / POW(10;101)')).toBeNull();
    expect(resultOf('POW(10;60) * POW(10;41)')).toBeNull();
    expect(resultOf('POW(10;-101) * 1000')).toBe('0');
  });

  it.each([
    ['a hundred thousand characters', '1+'.repeat(50_000)],
    ['ten thousand brackets', '('.repeat(10_000)],
    ['ten thousand signs', '-'.repeat(10_000)],
    ['two thousand brackets', '('.repeat(2_000)],
    ['two thousand signs', '-'.repeat(2_000)],
    ['two thousand closing brackets', ')'.repeat(2_000)],
    ['two thousand quotes but one', '"'.repeat(1_999)],
    ['strange characters', '@'.repeat(2_000)],
    ['an endless name', 'a.'.repeat(1_000)],
    ['an endless number', '9'.repeat(2_000)],
    ['all the powers there is room for', `${'POW(2;.5)+'.repeat(199)}1`],
    ['spaces', ' '.repeat(2_000)],
  ])('refuse %s at once', (_, text) => {
    expect(refuse(text)).toHaveProperty('problem');
    expect(quickestMs(() => refuse(text))).toBeLessThan(50);
  });

  it('keep hostile powers short', () => {
    expect(resultOf('POW(9;9999999)')).toBeNull();
    expect(resultOf('POW(POW(POW(9;999);999);999)')).toBeNull();
    expect(quickestMs(() => resultOf('POW(9;9999999) + POW(POW(POW(9;999);999);999)'))).toBeLessThan(50);
    const mostPowers = Array(9).fill('POW(1.2345;0.371)').join('*');
    expect(resultOf(mostPowers)).toMatch(/^2\.02063915253733297331/);
    expect(quickestMs(() => resultOf(mostPowers))).toBeLessThan(50);
  });
});
