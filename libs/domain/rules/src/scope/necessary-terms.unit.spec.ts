import type { RuleMode } from '../evaluation/rule-mode';
import { ruleObject } from '../rules.fixture';
import { necessaryTerms } from './necessary-terms';

const segments = (...ids: string[]) => ({ name: 'customer.segment', conditions: { $is: ids } });
const items = (quantifier: string, conditions: Record<string, unknown>) => ({
  name: `order.items.${quantifier}`,
  conditions,
});
const product = (id: string) => ({ object: 'product', id });
const collection = (id: string) => ({ object: 'products_collection', id });
const inSegment = (id: string) => ({ object: 'segment', id });

const termsOf = (rules: Record<string, unknown>, mode: RuleMode = 'FULL') =>
  necessaryTerms(ruleObject(rules), mode);

describe('necessary terms (10)', () => {
  it.each<[string, Record<string, unknown>, unknown]>([
    ['nothing without rules', {}, []],
    ['a segment', { 1: segments('a') }, [[inSegment('a')]]],
    ['one of several segments', { 1: segments('a', 'b') }, [[inSegment('a'), inSegment('b')]]],
    [
      'segments of two operators',
      { 1: { name: 'customer.segment', conditions: { $in: ['b'], $is: ['a'] } } },
      [[inSegment('a')], [inSegment('b')]],
    ],
    [
      'nothing of negative operators',
      { 1: { name: 'customer.segment', conditions: { $is_not: ['a'] } } },
      [],
    ],
    ['nothing of other rules', { 1: { name: 'customer.loyalty_tier', conditions: { $is: ['a'] } } }, []],
    ['both of AND', { 1: segments('a'), 2: segments('b') }, [[inSegment('a')], [inSegment('b')]]],
    [
      'one of OR',
      { 1: segments('a'), 2: segments('b'), logic: '1 or 2' },
      [[inSegment('a'), inSegment('b')]],
    ],
    [
      'nothing of OR with a rule that needs nothing',
      { 1: segments('a'), 2: { name: 'order.items.count' }, logic: '1 or 2' },
      [],
    ],
    [
      'each with each of two conjunctions',
      { 1: segments('a'), 2: segments('b'), 3: segments('c'), logic: '1 and 2 or 3' },
      [
        [inSegment('a'), inSegment('c')],
        [inSegment('b'), inSegment('c')],
      ],
    ],
    [
      'nothing that logic does not name',
      { 1: segments('a'), 2: segments('b'), logic: '2' },
      [[inSegment('b')]],
    ],
    [
      'products',
      { 1: items('any', { $is: [product('p'), collection('c')] }) },
      [[product('p'), collection('c')]],
    ],
    ['products of $in', { 1: items('every', { $in: [product('p')] }) }, [[product('p')]]],
    [
      'collections of $from besides products',
      { 1: items('cheapest', { $from: [{ id: 'c' }], $is: [product('p')] }) },
      [[product('p')], [collection('c')]],
    ],
    [
      'products with source ids',
      { 1: items('most_expensive', { $is: [{ ...product('p'), source_id: 's' }] }) },
      [[{ ...product('p'), source_id: 's' }]],
    ],
    ['nothing of none', { 1: items('none', { $is: [product('p')] }) }, []],
    ['nothing of products that must not be there', { 1: items('any', { $is_not: [product('p')] }) }, []],
    [
      'nothing of the collection of everything',
      { 1: items('any', { $is: [collection('pc_a11pr0dUc75'), product('p')] }) },
      [],
    ],
    ['legacy products', { 1: { name: 'product.id', conditions: { $is: [{ id: 'p' }] } } }, [[product('p')]]],
    [
      'legacy SKUs',
      { 1: { name: 'sku.id', conditions: { $in: [{ id: 's' }] } } },
      [[{ object: 'sku', id: 's' }]],
    ],
    ['nothing that can be had', { 1: segments() }, [[]]],
    [
      'terms below a rule besides its own',
      {
        1: {
          ...items('any', { $is: [product('p')] }),
          rules: { 1: segments('a'), 2: segments('b'), logic: '1 or 2' },
        },
      },
      [[product('p')], [inSegment('a'), inSegment('b')]],
    ],
  ])('%s', (_, rules, expected) => {
    expect(termsOf(rules)).toEqual(expected);
  });

  it.each<[RuleMode, unknown]>([
    ['FULL', [[inSegment('a')], [product('p')], [{ ...product('q') }]]],
    ['QUALIFY', [[inSegment('a')], [product('p')], [{ ...product('q') }]]],
    ['AUDIENCE', [[inSegment('a')]]],
    ['PRODUCT', []],
  ])('in mode %s only what is evaluated', (mode, expected) => {
    const rule = ruleObject(
      { 1: segments('a'), 2: items('any', { $is: [product('p')] }) },
      {
        bundle_rules: {
          1: {
            name: 'order.items.any',
            conditions: { $is: [{ ...product('q'), type: 'product_or_sku' }] },
          },
        },
      },
    );
    expect(necessaryTerms(rule, mode)).toEqual(expected);
  });

  it('keeps 16 lists of alternatives at most', () => {
    const ten = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [index + 1, segments(`s${index}`)]),
    );
    const terms = termsOf({ ...ten, logic: '1 and 2 and 3 and 4 and 5 or 6 and 7 and 8 and 9 and 10' });
    expect(terms.length).toBe(16);
    expect(terms[0]).toEqual([inSegment('s0'), inSegment('s5')]);
    expect(termsOf({ ...ten, logic: '1 and 2 and 3 and 4 or 5 and 6 and 7 and 8' }).length).toBe(16);
  });

  it('leaves out lists of more than 10,000 terms', () => {
    const thousand = Array.from({ length: 1_000 }, (_, index) => `s${index}`);
    const termsOfEither = (times: number, ...more: string[]) =>
      termsOf({
        1: segments(...thousand),
        2: segments(...more),
        logic: ['2', ...Array.from({ length: times }, () => '1')].join(' or '),
      });
    expect(termsOfEither(9, ...thousand).map(({ length }) => length)).toEqual([10_000]);
    expect(termsOfEither(10, 'one more')).toEqual([]);
  });
});
