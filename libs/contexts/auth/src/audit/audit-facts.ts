import type { MetadataSchemaEvent, ProjectEvent } from '@scrip/contracts/auth';
import type { UserEvent } from '../users/user';
import type { AuditFact } from './audit-entry';

type Said = Omit<AuditFact, 'project_id'>;

const ofProject = (projectId: string, event: ProjectEvent): Said => {
  const project = { resource_type: 'project', resource_id: projectId };
  switch (event.type) {
    case 'ProjectCreated':
      return { action: 'project.created', ...project };
    case 'ProjectUpdated':
      return { action: 'project.updated', ...project, changes: event.data };
    case 'ProjectDeleted':
      return { action: 'project.deleted', ...project };
    case 'ClientAccessChanged':
      return { action: 'project.client_access_changed', ...project, changes: event.data };
    case 'ApiKeyIssued': {
      const { key_id, ...changes } = event.data;
      return { action: 'api_key.issued', resource_type: 'api_key', resource_id: key_id, changes };
    }
    case 'ApiKeyRevoked':
      return { action: 'api_key.revoked', resource_type: 'api_key', resource_id: event.data.key_id };
    case 'StackingRulesCreated':
      return { action: 'stacking_rules.created', resource_type: 'stacking_rules', resource_id: null };
    case 'StackingRulesUpdated':
      return { action: 'stacking_rules.updated', resource_type: 'stacking_rules', resource_id: null };
    case 'StackingRulesDeleted':
      return { action: 'stacking_rules.deleted', resource_type: 'stacking_rules', resource_id: null };
    default:
      return event satisfies never;
  }
};

/** What the trail says of a project's events. */
export const projectFacts = (projectId: string, events: readonly ProjectEvent[]): AuditFact[] =>
  events.map((event) => ({ project_id: projectId, ...ofProject(projectId, event) }));

const schemaActions: Readonly<Record<MetadataSchemaEvent['type'], string>> = {
  MetadataSchemaCreated: 'metadata_schema.created',
  MetadataSchemaUpdated: 'metadata_schema.updated',
  MetadataSchemaDeleted: 'metadata_schema.deleted',
};

/** What the trail says of the events of a metadata schema. */
export const metadataSchemaFacts = (
  project_id: string,
  id: string,
  events: readonly MetadataSchemaEvent[],
): AuditFact[] =>
  events.map(({ type }) => ({
    ...{ project_id, action: schemaActions[type], resource_type: 'metadata_schema', resource_id: id },
  }));

const ofUser = (event: UserEvent): Pick<AuditFact, 'action' | 'project_id' | 'changes'> | null => {
  switch (event.type) {
    case 'UserAdded': {
      const { is_owner, projects } = event.data;
      return { action: 'user.added', project_id: null, changes: { is_owner, projects } };
    }
    case 'RoleAssigned': {
      const { project_id, ...changes } = event.data;
      return { action: 'user.role_assigned', project_id, changes };
    }
    case 'RemovedFromProject': {
      const { project_id, ...changes } = event.data;
      return { action: 'user.removed_from_project', project_id, changes };
    }
    case 'PasswordSet':
      return { action: 'user.password_set', project_id: null };
    case 'PasswordHashedAgain':
      return null;
    case 'UserBlocked':
      return { action: 'user.blocked', project_id: null };
    case 'UserAdmitted':
      return { action: 'user.admitted', project_id: null };
    default:
      return event satisfies never;
  }
};

/** What the trail says of what happened to a user. */
export const userFacts = (id: string, events: readonly UserEvent[]): AuditFact[] =>
  events.flatMap((event) => {
    const said = ofUser(event);
    return said ? [{ ...said, resource_type: 'user', resource_id: id }] : [];
  });
