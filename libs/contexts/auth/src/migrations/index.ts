import type { MigrationClass } from '@scrip/event-store';
import { CreateLookupKeys1796500000000 } from '@scrip/service';
import { AddIntegrationKeys1802125000000 } from './add-integration-keys.migration';
import { AddKeyUse1800300000000 } from './add-key-use.migration';
import { AddProjectManagement1797300000000 } from './add-project-management.migration';
import { AddSecondFactors1797900000000 } from './add-second-factors.migration';
import { BoundSignIns1797800000000 } from './bound-sign-ins.migration';
import { CountRefusals1800900000000 } from './count-refusals.migration';
import { CreateAuditTrail1798000000000 } from './create-audit-trail.migration';
import { CreateAuth1764000000000 } from './create-auth.migration';
import { CreateCycleCalls1801900000000 } from './create-cycle-calls.migration';
import { CreateEventSchemas1800100000000 } from './create-event-schemas.migration';
import { CreateLocationUses1800600000000 } from './create-location-uses.migration';
import { CreateLocations1800200000000 } from './create-locations.migration';
import { CreateMetadataSchemas1797200000000 } from './create-metadata-schemas.migration';
import { CreateSessions1797400000000 } from './create-sessions.migration';
import { CreateUsers1797100000000 } from './create-users.migration';

/** The schema of the context `auth`. */
export const authMigrations: MigrationClass[] = [
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
];
