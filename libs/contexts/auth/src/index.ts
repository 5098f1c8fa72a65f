import { type ContextDefinition, CreateLookupKeys1796500000000, lookupKeysColumn } from '@scrip/service';
import { CreateAuth1764000000000 } from './migrations/create-auth.migration';
import { BoundSignIns1797800000000 } from './migrations/bound-sign-ins.migration';
import { CreateSessions1797400000000 } from './migrations/create-sessions.migration';
import { CreateCycleCalls1801900000000 } from './migrations/create-cycle-calls.migration';
import { CreateEventSchemas1800100000000 } from './migrations/create-event-schemas.migration';
import { CreateLocations1800200000000 } from './migrations/create-locations.migration';
import { CreateLocationUses1800600000000 } from './migrations/create-location-uses.migration';
import { AddKeyUse1800300000000 } from './migrations/add-key-use.migration';
import { CreateUsers1797100000000 } from './migrations/create-users.migration';
import { CreateMetadataSchemas1797200000000 } from './migrations/create-metadata-schemas.migration';
import { AddProjectManagement1797300000000 } from './migrations/add-project-management.migration';
import { AddSecondFactors1797900000000 } from './migrations/add-second-factors.migration';
import { secondFactorsColumn } from './second-factor/second-factor.table';
import { CountRefusals1800900000000 } from './migrations/count-refusals.migration';
import { AddIntegrationKeys1802125000000 } from './migrations/add-integration-keys.migration';
import { CreateAuditTrail1798000000000 } from './migrations/create-audit-trail.migration';
import { AuthModule } from './auth.module';

export { type IssuedKey, KeyLifecycle, type ListedKey } from './keys/key-lifecycle';
export { type BrowserAccess, ClientAccess } from './projects/client-access';
export { Bootstrap, type BootstrapRequest } from './projects/bootstrap';
export { operator } from './audit/audit-operator';
export { firstLogin, FirstUser } from './users/first-user';
export { SecondFactors } from './second-factor/second-factors';
export { newPassword } from './users/password-hashes';
export type { User } from './users/user';
export { UserHandlers } from './users/user.handlers';

/** Projects, application, client and management keys, access tokens, users. Source: architecture §2. */
export const authContext: ContextDefinition = {
  name: 'auth',
  module: AuthModule,
  migrations: [
    CreateAuth1764000000000,
    CreateLookupKeys1796500000000,
    CreateUsers1797100000000,
    CreateMetadataSchemas1797200000000,
    AddProjectManagement1797300000000,
    CreateSessions1797400000000,
    BoundSignIns1797800000000,
    AddSecondFactors1797900000000,
    CreateAuditTrail1798000000000,
    CreateEventSchemas1800100000000,
    CreateLocations1800200000000,
    AddKeyUse1800300000000,
    CreateLocationUses1800600000000,
    CountRefusals1800900000000,
    CreateCycleCalls1801900000000,
    AddIntegrationKeys1802125000000,
  ],
  sealed: [lookupKeysColumn, secondFactorsColumn],
};
