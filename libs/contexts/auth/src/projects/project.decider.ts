import type { ApiKeyIssued, ClientAccessChanged, ProjectCreated, ProjectEvent } from '@scrip/contracts/auth';
import { type Refusal, refuse } from '@scrip/kernel';
import { isDeepStrictEqual } from 'node:util';
import type { Project } from './project';

/** What can be asked of a project. */
export type ProjectCommand =
  | { type: 'CreateProject'; wanted: ProjectCreated['data'] }
  | { type: 'ChangeClientAccess'; wanted: ClientAccessChanged['data'] }
  | { type: 'IssueKey'; key: ApiKeyIssued['data'] }
  | { type: 'RevokeKey'; key_id: string };

const hasKey = ({ keys }: Project, { key_id, kind, name, role }: ApiKeyIssued['data']): boolean => {
  const known = keys[key_id];
  return known !== undefined && known.kind === kind && known.name === name && known.role === role;
};

const hasAccess = (
  { client_trusted_domains, client_switches }: Project,
  wanted: ClientAccessChanged['data'],
): boolean => isDeepStrictEqual({ client_trusted_domains, client_switches }, wanted);

/** What follows from a command; an empty list where the project is so already. Refuses `not_found`. */
export const decideProject = (
  command: ProjectCommand,
  state: Project | undefined,
): ProjectEvent[] | Refusal<'not_found'> => {
  if (command.type === 'CreateProject') {
    return state ? [] : [{ type: 'ProjectCreated', data: command.wanted }];
  }
  if (!state) return refuse('not_found');
  switch (command.type) {
    case 'ChangeClientAccess':
      return hasAccess(state, command.wanted) ? [] : [{ type: 'ClientAccessChanged', data: command.wanted }];
    case 'IssueKey':
      return hasKey(state, command.key) ? [] : [{ type: 'ApiKeyIssued', data: command.key }];
    case 'RevokeKey':
      return state.keys[command.key_id] ? [{ type: 'ApiKeyRevoked', data: { key_id: command.key_id } }] : [];
    default:
      return command satisfies never;
  }
};
