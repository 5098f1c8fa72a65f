import { publicRoutes } from '@scrip/edge';
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

  it('of the route table can all be had', () => {
    const wanted = publicRoutes.flatMap(({ scope }) => (scope === null ? [] : [scope]));
    expect(wanted.filter((scope) => !knownScopes.has(scope))).toEqual([]);
  });
});
