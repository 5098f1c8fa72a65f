import { isAcceptable, isConsumable } from './media-types';

describe('Accept', () => {
  test.each([
    [undefined, true],
    ['', true],
    ['*/*', true],
    ['application/json', true],
    ['application/*', true],
    ['text/html, application/json;q=0.9', true],
    ['APPLICATION/JSON', true],
    ['text/html', false],
    ['text/html, */*;q=0', false],
    ['application/json;q=0, */*', false],
    ['application/json;q=0.0', false],
    [',,;;', false],
  ])('%s admits JSON: %s', (accept, admitted) => {
    expect(isAcceptable(accept, ['application/json'])).toBe(admitted);
  });

  it('admits whatever is offered where nothing is promised', () => {
    expect(isAcceptable('image/png', [])).toBe(true);
  });
});

describe('a body', () => {
  test.each<['json' | 'form', string | undefined, string | undefined, boolean]>([
    ['json', 'application/json', undefined, true],
    ['json', 'application/json; charset=UTF-8', undefined, true],
    ['json', 'application/merge-patch+json', undefined, true],
    ['json', 'application/json; charset=utf-16', undefined, false],
    ['json', 'application/json', 'gzip', false],
    ['json', 'application/json', 'identity', true],
    ['json', 'application/jsonp', undefined, false],
    ['json', undefined, undefined, false],
    ['form', 'application/x-www-form-urlencoded; charset="utf-8"', undefined, true],
    ['form', 'application/json', undefined, false],
  ])('for %s of type %s, encoding %s: %s', (kind, type, encoding, consumable) => {
    expect(isConsumable(kind, type, encoding)).toBe(consumable);
  });
});
