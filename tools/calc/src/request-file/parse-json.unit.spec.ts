import { problemsOf } from './problems.fixture';

describe('texts that are no JSON say where', () => {
  it('are refused when they are nested too deeply', () => {
    expect(problemsOf('['.repeat(100_000))).toEqual(['not JSON: nested too deeply']);
  });

  it.each([
    ['', 'not JSON: value expected at line 1, column 1'],
    ['{', 'not JSON: close brace expected at line 1, column 2'],
    ['{\n  "a": 1,\n}', 'not JSON: property name expected at line 3, column 1'],
    ['{ a: 1 }', 'not JSON: invalid symbol at line 1, column 3'],
    ['{"a": 01}', 'not JSON: comma expected at line 1, column 8'],
    ['{"a" 1}', 'not JSON: colon expected at line 1, column 6'],
    ['["a" "b"]', 'not JSON: comma expected at line 1, column 6'],
    ['[1, nul]', 'not JSON: invalid symbol at line 1, column 5'],
    ['"a\nb"', 'not JSON: unexpected end of string at line 1, column 1'],
    ['{} {}', 'not JSON: end of file expected at line 1, column 4'],
    ['[]\n]', 'not JSON: end of file expected at line 2, column 1'],
    ['// no comments\n{}', 'not JSON: invalid comment token at line 1, column 1'],
  ])('%j', (text, message) => {
    expect(problemsOf(text)).toEqual([message]);
  });
});

describe('values nested too deeply', () => {
  const tooDeep = ['must not be nested deeper than 1000 levels'];
  const nested = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
  const withRules = (levels: number) =>
    `{"redeemables": [{"object": "voucher", "id": "A", "validation_rules": [{"name": "R", "rules": ${
      '{"1": {"name": "customer.segment", "rules": '.repeat(levels) + '{}' + '}}'.repeat(levels)
    }}]}]}`;

  it('are refused above 1,000 levels', () => {
    expect(problemsOf(nested(1_000))[0]).toMatch(/^must be an object/);
    expect(problemsOf(nested(1_001))).toEqual(tooDeep);
  });

  it.each([10_000, 100_000])('are refused as rules of %d levels', (levels) => {
    expect(problemsOf(withRules(levels))).toEqual(tooDeep);
  });

  it('are left to those who know the limit of rules below that', () => {
    expect(problemsOf(withRules(400))).toContain(
      'redeemables[0].validation_rules[0]: Rules must not be nested deeper than 5 levels',
    );
  });
});
