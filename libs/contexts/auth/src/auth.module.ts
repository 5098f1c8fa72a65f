import { Module } from '@nestjs/common';
import { authPort } from '@scrip/contracts/auth';
import { servePort } from '@scrip/rpc';
import { AuditHttp } from './audit/audit.http';
import { AuditRounds } from './audit/audit-rounds';
import { AuditReads } from './audit/audit.reads';
import { AuthPortHandlers } from './auth.port-handlers';
import { BrandingHandlers } from './branding/branding.handlers';
import { BrandingHttp } from './branding/branding.http';
import { EventSchemaHandlers } from './event-schemas/event-schema.handlers';
import { EventSchemaHttp } from './event-schemas/event-schema.http';
import { ApiKeyHandlers } from './keys/api-key.handlers';
import { ApiKeyHttp } from './keys/api-key.http';
import { KeyAuthentication } from './keys/key-authentication';
import { KeyDirectory } from './keys/key-directory';
import { KeyLifecycle } from './keys/key-lifecycle';
import { KeyUse } from './keys/key-use';
import { LocationHandlers } from './locations/location.handlers';
import { RestoreLocations } from './locations/restore-locations';
import { LocationUses } from './locations/location-uses';
import { LocationHttp } from './locations/location.http';
import { ManagedLocationHttp } from './locations/managed-location.http';
import { ManagedMetadataSchemaHttp } from './metadata-schemas/managed-metadata-schema.http';
import { MetadataSchemaHandlers } from './metadata-schemas/metadata-schema.handlers';
import { MetadataSchemaHttp } from './metadata-schemas/metadata-schema.http';
import { MetadataSchemaReads } from './metadata-schemas/metadata-schema.reads';
import { MetadataSchemaRequests } from './metadata-schemas/metadata-schema.requests';
import { Bootstrap } from './projects/bootstrap';
import { secretHashesProvider } from './keys/secret-hash.provider';
import { ClientAccess } from './projects/client-access';
import { ProjectHandlers } from './projects/project.handlers';
import { ProjectHttp } from './projects/project.http';
import { ProjectManagement } from './projects/project-management.handlers';
import { ProjectReads } from './projects/project.reads';
import { StackingRulesHandlers } from './stacking-rules/stacking-rules.handlers';
import { StackingRulesHttp } from './stacking-rules/stacking-rules.http';
import { SecondFactorHttp } from './second-factor/second-factor.http';
import { SecondFactors } from './second-factor/second-factors';
import { SessionAuthentication } from './sessions/session-authentication';
import { SessionHandlers } from './sessions/session.handlers';
import { SessionHttp } from './sessions/session.http';
import { SessionPruner } from './sessions/session-pruner';
import { SessionStore } from './sessions/session.table';
import { SignInAttempts } from './sessions/sign-in-attempts';
import { TokenAuthentication } from './tokens/token-authentication';
import { TokenHandlers } from './tokens/token.handlers';
import { TokenHttp } from './tokens/token.http';
import { TokenPruner } from './tokens/token-pruner';
import { TokenStore } from './tokens/token.table';
import { FirstUser } from './users/first-user';
import { passwordHashesProvider } from './users/password-hashes.provider';
import { ProjectUserHttp } from './users/project-user.http';
import { ProjectUsers } from './users/project-users.handlers';
import { UserHandlers } from './users/user.handlers';
import { type ContextDefinition, lookupKeysColumn } from '@scrip/service';
import { secondFactorsColumn } from './second-factor/second-factor.table';
import { authMigrations } from './migrations';

/** Projects, keys, access tokens and users. DataSource and event store of the context come from the process that boots it. */
@Module({
  controllers: [
    ProjectHttp,
    ProjectUserHttp,
    ApiKeyHttp,
    EventSchemaHttp,
    BrandingHttp,
    LocationHttp,
    ManagedLocationHttp,
    StackingRulesHttp,
    TokenHttp,
    SessionHttp,
    SecondFactorHttp,
    AuditHttp,
    MetadataSchemaHttp,
    ManagedMetadataSchemaHttp,
  ],
  providers: [
    ProjectHandlers,
    LocationUses,
    ProjectManagement,
    ProjectReads,
    StackingRulesHandlers,
    KeyDirectory,
    secretHashesProvider,
    KeyAuthentication,
    ApiKeyHandlers,
    KeyLifecycle,
    KeyUse,
    TokenStore,
    TokenAuthentication,
    TokenHandlers,
    TokenPruner,
    Bootstrap,
    ClientAccess,
    passwordHashesProvider,
    UserHandlers,
    ProjectUsers,
    EventSchemaHandlers,
    BrandingHandlers,
    LocationHandlers,
    RestoreLocations,
    FirstUser,
    MetadataSchemaReads,
    MetadataSchemaHandlers,
    MetadataSchemaRequests,
    SessionStore,
    SignInAttempts,
    SecondFactors,
    AuditReads,
    AuditRounds,
    SessionHandlers,
    SessionAuthentication,
    SessionPruner,
    servePort(authPort, AuthPortHandlers),
  ],
  exports: [Bootstrap, ClientAccess, FirstUser, KeyLifecycle, SecondFactors, UserHandlers],
})
class AuthModule {}

/** Projects, application, client and management keys, access tokens, users. Source: architecture §2. */
export const authContext: ContextDefinition = {
  name: 'auth',
  module: AuthModule,
  migrations: authMigrations,
  sealed: [lookupKeysColumn, secondFactorsColumn],
};
