import { deliveredAsJson } from './plain-json';

describe('deliveredAsJson', () => {
  it('gives a copy, so that neither side sees what the other changes later', () => {
    const sent = { items: [{ quantity: 1 }] };
    const received = deliveredAsJson(sent, 'request');
    sent.items[0]!.quantity = 2;
    expect(received).toEqual({ items: [{ quantity: 1 }] });
  });

  it('takes optional members that are undefined, which JSON drops', () => {
    expect(deliveredAsJson({ a: 1, b: undefined }, 'request')).toEqual({ a: 1 });
  });

  it('takes no answer at all', () => {
    expect(deliveredAsJson(undefined, 'answer')).toBeUndefined();
  });

  it.each<[unknown, string]>([
    [{ at: new Date(0) }, 'request.at is a Date'],
    [{ list: [1, undefined] }, 'request.list[1] is undefined'],
    [{ counts: new Map() }, 'request.counts is a Map'],
    [{ amount: 10n }, 'request.amount is a bigint'],
    [{ amount: Number.NaN }, 'request.amount is NaN'],
    [{ until: Number.POSITIVE_INFINITY }, 'request.until is Infinity'],
    [{ done: () => undefined }, 'request.done is a function'],
    [{ deep: { error: new Error('x') } }, 'request.deep.error is a Error'],
  ])('names what JSON would change: %p', (value, message) => {
    expect(() => deliveredAsJson(value, 'request')).toThrow(new TypeError(`not plain JSON: ${message}`));
  });
});
