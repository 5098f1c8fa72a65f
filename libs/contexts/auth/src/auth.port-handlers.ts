import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { AuthPort } from '@scrip/contracts/auth';
import { isRefused, notFound } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import { storeTold } from './audit/audit.table';
import { KeyAuthentication } from './keys/key-authentication';
import { noteUses } from './locations/location-use.table';
import { shapesOf } from './locations/location.table';
import { RestoreLocations } from './locations/restore-locations';
import { MetadataSchemaReads } from './metadata-schemas/metadata-schema.reads';
import { withSchemaChanges } from './metadata-schemas/schema-changes';
import { addCycleCalls } from './projects/cycle-calls.table';
import { ProjectHandlers } from './projects/project.handlers';
import { SessionAuthentication } from './sessions/session-authentication';
import { StackingRulesHandlers } from './stacking-rules/stacking-rules.handlers';
import { hasNoRole, mustManage } from './users/managed-project';
import { UserHandlers } from './users/user.handlers';
import { TokenAuthentication } from './tokens/token-authentication';

/** What other contexts and the edge ask of auth. Source: architecture §7. */
@Injectable()
export class AuthPortHandlers implements AuthPort {
  constructor(
    @InjectDataSource('auth') private readonly database: DataSource,
    private readonly keys: KeyAuthentication,
    private readonly tokens: TokenAuthentication,
    private readonly sessions: SessionAuthentication,
    private readonly projects: ProjectHandlers,
    private readonly schemas: MetadataSchemaReads,
    private readonly stackingRules: StackingRulesHandlers,
    private readonly users: UserHandlers,
    private readonly locations: RestoreLocations,
  ) {}

  authenticate: AuthPort['authenticate'] = async (_, { credentials }) => {
    switch (credentials.kind) {
      case 'server':
      case 'client':
        return this.keys.application(credentials);
      case 'management':
        return this.keys.management(credentials);
      case 'token':
        return this.tokens.token(credentials.access_token, credentials.ip);
      case 'session':
        return this.sessions.session(credentials);
      default:
        return credentials satisfies never;
    }
  };

  loadProject: AuthPort['loadProject'] = async (_, { project_id }) => {
    const [found, changes] = await Promise.all([
      this.projects.find(project_id),
      this.schemas.changes(project_id),
    ]);
    return found ? withSchemaChanges(found.project, changes) : notFound('project', project_id);
  };

  loadManagedProject: AuthPort['loadManagedProject'] = async (context, { project_id }) => {
    if (context.user) {
      const refusal = mustManage(await this.users.find(context.user.id), project_id);
      if (refusal) return refusal;
    }
    const found = await this.loadProject(context, { project_id });
    return context.user && isRefused(found) ? hasNoRole(project_id) : found;
  };

  loadMetadataSchemas: AuthPort['loadMetadataSchemas'] = async (_, { project_id, related_objects }) => ({
    schemas: await this.schemas.of(project_id, related_objects),
  });

  loadLocations: AuthPort['loadLocations'] = async (_, { project_id, ids }) => ({
    locations: await shapesOf(this.database, project_id, ids),
  });

  keepLocations: AuthPort['keepLocations'] = (context, { ids }) => this.locations.keep(context, ids);

  restoreLocations: AuthPort['restoreLocations'] = async (context, request) =>
    (await this.locations.restore(context, request)) as Awaited<ReturnType<AuthPort['restoreLocations']>>;

  useLocations: AuthPort['useLocations'] = async (_, { project_id, ...use }) => ({
    unknown: await this.database.transaction((manager) => noteUses(manager, project_id, use)),
  });

  enterAudit: AuthPort['enterAudit'] = async (_, { told }) => {
    await storeTold(this.database, told);
    return { told: told.length };
  };

  countCalls: AuthPort['countCalls'] = async (_, request) => ({
    calls: await addCycleCalls(this.database, request),
  });

  releaseCategory: AuthPort['releaseCategory'] = (context, request) =>
    this.stackingRules.releaseCategory(context, request);

  loadStackingRules: AuthPort['loadStackingRules'] = async (_, { project_id }) => {
    const found = await this.projects.find(project_id);
    return {
      version: found?.project.stackingRulesVersion ?? 0,
      settings: found?.stacking_rules?.settings ?? null,
    };
  };
}
