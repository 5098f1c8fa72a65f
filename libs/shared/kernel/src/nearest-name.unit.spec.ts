import { didYouMean, nearestName } from './nearest-name';

describe('the name that was meant', () => {
  test.each([
    ['ammount', ['amount', 'items'], 'amount'],
    ['limt', ['limit', 'page'], 'limit'],
    ['nmae', ['name', 'type'], 'name'],
    ['Amount', ['amount'], 'amount'],
    ['skus', ['sku'], 'sku'],
    ['gte', ['in', 'from'], null],
    ['foo', ['from'], null],
    ['voucher', ['limit', 'page', 'order'], null],
    ['x', ['id', 'a'], null],
    ['y'.repeat(100), ['y'.repeat(99)], null],
  ])('of %s among %j is %s', (name, names, nearest) => {
    expect(nearestName(name, names)).toBe(nearest);
  });

  it('is asked for as it is, or as the caller has to write it', () => {
    expect(didYouMean('limt', ['limit'])).toBe('Did you mean limit?');
    expect(didYouMean('limt', ['limit'], (name) => `.${name}`)).toBe('Did you mean .limit?');
  });

  it('is not asked for where none is near', () => {
    expect(didYouMean('voucher', ['limit'])).toBeNull();
  });
});
