import { knownScopes, unknownScopes } from './scopes';

describe('scopes', () => {
  test.each([
    ['api', []],
    ['vouchers campaigns client_api', []],
    ['vouchers unheard campaigns Vouchers', ['unheard', 'Vouchers']],
    ['api  vouchers', ['']],
    [' api', ['']],
    ['', ['']],
  ])('"%s" holds the unknown names %j', (scope, unknown) => {
    expect(unknownScopes(scope)).toEqual(unknown);
  });

  it('are those of the table, and of every route', () => {
    expect([...knownScopes]).toEqual(
      expect.arrayContaining(['trash-bin', 'client_consents', 'client_redemptions']),
    );
  });
});
