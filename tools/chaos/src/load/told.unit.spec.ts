import { Told, isExpected } from './told';

describe('what callers were told', () => {
  it.each(['200', '503 service_unavailable', '409 idempotency_key_in_use', '400 quantity_exceeded', 'none'])(
    'expects %s',
    (answer) => expect(isExpected(answer)).toBe(true),
  );

  it.each([
    '500 internal_error',
    '400 invalid_payload',
    '404 not_found',
    '401 unauthorized',
    'no answer within 12 s',
  ])('does not expect %s', (answer) => expect(isExpected(answer)).toBe(false));

  it('counts answers, and errors among them', () => {
    const told = new Told();
    told.answered('200', 10);
    const before = told.snapshot();
    for (const answer of [
      '200',
      '503 service_unavailable',
      '500 internal_error',
      'none',
      '400 quantity_exceeded',
    ])
      told.answered(answer, 20);
    expect(told.errors()).toBe(3);
    expect(told.otherThan(isExpected)).toEqual(['500 internal_error: 1']);
    expect(told.since(before)).toBe(
      '200: 1, 503 service_unavailable: 1, 500 internal_error: 1, none: 1, 400 quantity_exceeded: 1',
    );
    expect(told.slowestMs).toBe(20);
  });
});
