import { publicRoutes } from '@scrip/contracts/registry';
import { routeAccessSuite } from '@scrip/edge/testing';
import { type AccessFixture, bootAccess } from './access.fixture';

describe('access to every route', () => {
  let fixture: AccessFixture;

  beforeAll(async () => {
    fixture = await bootAccess();
  });
  afterAll(() => fixture.close());

  routeAccessSuite(publicRoutes, () => fixture.world);
});
