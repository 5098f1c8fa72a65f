import { parseConsents } from './consents-request';

describe('the consents of a call', () => {
  it('are true or false by their ids', () => {
    expect(parseConsents({ newsletter: true, phone: false })).toEqual({ newsletter: true, phone: false });
    expect(parseConsents({})).toEqual({});
  });

  it.each<[string, unknown, string]>([
    ['no object', [], 'Payload must be object'],
    ['nothing', null, 'Payload must be object'],
    ['another value', { newsletter: 'yes' }, 'Property .newsletter must be boolean'],
    [
      'a long id',
      { ['x'.repeat(513)]: true },
      `Property .${'x'.repeat(32)}... should NOT be longer than 512 characters`,
    ],
    [
      'too many',
      Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`c${n}`, true])),
      'Payload should NOT have more than 100 properties',
    ],
  ])('are refused for %s', (_, body, details) => {
    expect(parseConsents(body)).toMatchObject({ refused: 'invalid_payload', details });
  });
});
