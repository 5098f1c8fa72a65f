import { problemOf, quickestMs } from '../rules.fixture';
import { levelsMax, rulesMax } from './compile-group';
import { segment } from './definitions.fixture';

/** Rules below rules, `levels` deep. */
const nested = (levels: number): Record<string, unknown> => {
  let rules: Record<string, unknown> = {};
  for (let level = 0; level < levels; level += 1) rules = { 1: { ...segment, rules } };
  return rules;
};

describe('size limits (11)', () => {
  const many = (count: number): Record<string, unknown> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [String(index + 1), segment]));

  it('allows 100 rules and no more', () => {
    expect(problemOf(many(rulesMax))).toBeNull();
    expect(problemOf(many(rulesMax + 1))).toBe('There must not be more than 100 rules');
  });

  it('counts rules below rules', () => {
    const rules = many(99);
    expect(problemOf({ ...rules, 1: { ...segment, rules: { 1: segment } } })).toBeNull();
    expect(problemOf({ ...rules, 1: { ...segment, rules: { 1: segment, 2: segment } } })).toBe(
      'There must not be more than 100 rules',
    );
  });

  it('allows 5 levels and no more', () => {
    expect(problemOf(nested(levelsMax))).toBeNull();
    expect(problemOf(nested(levelsMax + 1))).toBe('Rules must not be nested deeper than 5 levels');
  });

  it.each<[string, unknown, string]>([
    ['10,000 levels', nested(10_000), 'Rules must not be nested deeper than 5 levels'],
    ['10,000 rules', many(10_000), 'There must not be more than 100 rules'],
    [
      'logic of 100,000 characters',
      { 1: segment, logic: '1 or '.repeat(20_000) },
      'Logic must not have more than 2000 characters',
    ],
    [
      '10,000 brackets',
      { 1: segment, logic: '('.repeat(10_000) },
      'Logic must not have more than 2000 characters',
    ],
    [
      '999 brackets that are not closed',
      { 1: segment, logic: `${'('.repeat(999)}1` },
      'Logic has an unclosed bracket',
    ],
  ])('refuses %s at once', (_, rules, problem) => {
    expect(problemOf(rules)).toBe(problem);
    expect(quickestMs(() => problemOf(rules))).toBeLessThan(25);
  });
});
