import { publicRoutes } from '@scrip/contracts/registry';
import { type AccessWorld, httpCall, routeAccessSuite } from '@scrip/edge/testing';
import { type AuthFixture, bootAuth, knownKeys, serverKeys } from './auth.fixture';

const served = publicRoutes.filter(({ area, path }) => area === 'oauth' || path === '/healthz');

describe('access to the token endpoints', () => {
  let fixture: AuthFixture;
  let world: AccessWorld;

  beforeAll(async () => {
    fixture = await bootAuth();
    await fixture.bootstrap.run({ ...knownKeys, clientTrustedDomains: ['shop.example.com'] });
    world = {
      call: httpCall(fixture.running.url),
      keys: {
        server: serverKeys,
        client: {
          'X-Client-Application-Id': 'shop-browser',
          'X-Client-Token': 'client-secret',
          Origin: 'https://shop.example.com',
        },
        management: { 'X-Management-Id': 'boss', 'X-Management-Token': 'boss-secret' },
      },
      token: async (scope) => {
        const { body } = await fixture.form('/v1/oauth/token', { grant_type: 'client_credentials', scope });
        return { Authorization: `Bearer ${(body as { access_token: string }).access_token}` };
      },
      own: () => ({}),
      foreign: () => null,
    };
  });
  afterAll(() => fixture.running.close());

  routeAccessSuite(served, () => world);
});
