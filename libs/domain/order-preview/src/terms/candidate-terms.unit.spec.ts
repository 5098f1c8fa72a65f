import { amountOff, rule } from '../preview.fixture';
import { candidateTerms } from './candidate-terms';

const segment = (...ids: string[]) => ({ name: 'customer.segment', conditions: { $is: ids } });
const least = (amount: number) => ({
  name: 'order.initial_amount',
  conditions: { $more_than_or_equal: [amount] },
});
const cups = { name: 'order.items.any', conditions: { $is: [{ object: 'product', id: 'prod_cup' }] } };
const cupsOnly = { applicable_to: { included: [{ object: 'product', id: 'prod_cup' }] } };

const off = { incentive: amountOff(100) };
const offItems = { incentive: amountOff(100, { effect: 'APPLY_TO_ITEMS' }) };

describe('what a candidate demands at least (02 §10)', () => {
  it.each([
    ['nothing, without rules', [], ['*'], ['*']],
    ['a segment', [rule({ 1: segment('seg_1', 'seg_2') })], ['segment:seg_1', 'segment:seg_2'], undefined],
    ['an amount, by powers of two', [rule({ 1: least(1025) })], ['amount:10'], ['*']],
    [
      'the smaller amount of two alternatives',
      [rule({ 1: least(500), 2: least(2000), logic: '1 or 2' })],
      ['amount:8'],
      ['*'],
    ],
    [
      'the rarest of what all rules demand',
      [rule({ 1: segment('seg_1'), 2: least(500) }), rule({ 1: cups })],
      ['product:prod_cup'],
      ['segment:seg_1'],
    ],
    [
      'nothing where one alternative demands nothing',
      [
        rule({
          1: segment('seg_1'),
          2: { name: 'order.metadata', property: 'a', conditions: { $is: ['b'] } },
          logic: '1 or 2',
        }),
      ],
      ['*'],
      ['*'],
    ],
  ])('%s', (_, rules, qualify, audience = qualify) => {
    const { QUALIFY, AUDIENCE } = candidateTerms(off, rules);
    expect({ QUALIFY, AUDIENCE }).toEqual({ QUALIFY: qualify, AUDIENCE: audience });
  });

  it('of items: those that it discounts, and those that its rules name', () => {
    expect(candidateTerms(off, [rule({ 1: cups })])).toMatchObject({
      DISCOUNTED: [],
      NAMED: ['product:prod_cup'],
    });
    expect(candidateTerms(offItems, [rule({}, cupsOnly)])).toMatchObject({
      DISCOUNTED: ['product:prod_cup'],
      NAMED: ['product:prod_cup'],
    });
    expect(candidateTerms(offItems, [])).toMatchObject({ DISCOUNTED: ['*'], NAMED: ['*'] });
  });

  it('nothing in particular where it would be more than a hundred terms', () => {
    const many = Array.from({ length: 101 }, (_, place) => `seg_${place}`);
    expect(candidateTerms(off, [rule({ 1: segment(...many) })]).QUALIFY).toEqual(['*']);
  });
});
