import type { ApiKeyIssued, ClientAccessChanged, ProjectCreated, ProjectEvent } from '@scrip/contracts/auth';
import { type Refusal, refuse } from '@scrip/kernel';
import { isDeepStrictEqual } from 'node:util';
import { decideStackingRules, type StackingRulesCommand } from '../stacking-rules/stacking-rules.decider';
import { isSandbox, type Project, type ProjectSettings, settingsOf } from './project';

/** What can be asked of a project. */
export type ProjectCommand =
  | { type: 'CreateProject'; wanted: ProjectCreated['data']; keys?: readonly ApiKeyIssued['data'][] }
  | { type: 'UpdateProject'; settings: Partial<ProjectSettings>; access: Partial<ClientAccess> }
  | { type: 'DeleteProject' }
  | { type: 'ChangeClientAccess'; wanted: ClientAccessChanged['data'] }
  | { type: 'IssueKey'; key: ApiKeyIssued['data'] }
  | { type: 'RevokeKey'; key_id: string }
  | StackingRulesCommand;

/** From where browsers may call, and what they may do. */
type ClientAccess = Pick<ClientAccessChanged['data'], 'client_trusted_domains'> & {
  client_switches: Partial<ClientAccessChanged['data']['client_switches']>;
};

/** Refuses what names a project that is not there, or not any more. */
export type ProjectRefusal = Refusal<
  'not_found' | 'resource_protected' | 'invalid_payload' | 'stacking_rules_exist' | 'resource_in_use'
>;

const hasKey = ({ keys }: Project, { key_id, kind, name, role }: ApiKeyIssued['data']): boolean => {
  const known = keys[key_id];
  return known !== undefined && known.kind === kind && known.name === name && known.role === role;
};

const hasAccess = (
  { client_trusted_domains, client_switches }: Project,
  wanted: ClientAccessChanged['data'],
): boolean => isDeepStrictEqual({ client_trusted_domains, client_switches }, wanted);

const changeAccess = (state: Project, wanted: ClientAccessChanged['data']): ProjectEvent[] =>
  hasAccess(state, wanted) ? [] : [{ type: 'ClientAccessChanged', data: wanted }];

const update = (
  state: Project,
  { settings, access }: Extract<ProjectCommand, { type: 'UpdateProject' }>,
): ProjectEvent[] => {
  const known = settingsOf(state);
  const { error_messages = {}, ...others } = { ...known, ...settings };
  const wanted = { ...others, ...(Object.keys(error_messages).length === 0 ? {} : { error_messages }) };
  return [
    ...(isDeepStrictEqual(wanted, known) ? [] : [{ type: 'ProjectUpdated' as const, data: wanted }]),
    ...changeAccess(state, {
      client_trusted_domains: access.client_trusted_domains ?? state.client_trusted_domains,
      client_switches: { ...state.client_switches, ...access.client_switches },
    }),
  ];
};

const remove = (state: Project): ProjectEvent[] | ProjectRefusal => {
  const { id } = state.project;
  if (!isSandbox(state)) return [{ type: 'ProjectDeleted', data: { project_id: id } }];
  const about = { resourceId: id, resourceType: 'project' };
  return refuse('resource_protected', `Cannot delete project with id ${id}: it is the sandbox`, about);
};

/** What follows from a command; an empty list where the project is so already. Refuses `not_found`, also for what was
 *  deleted, and `resource_protected` for the deletion of the sandbox, and what stacking rules are refused with. */
export const decideProject = (
  command: ProjectCommand,
  state: Project | undefined,
): ProjectEvent[] | ProjectRefusal => {
  if (state?.deleted) return refuse('not_found');
  if (command.type === 'CreateProject') {
    if (state) return [];
    const issued = (command.keys ?? []).map((data) => ({ type: 'ApiKeyIssued' as const, data }));
    return [{ type: 'ProjectCreated', data: command.wanted }, ...issued];
  }
  if (!state) return refuse('not_found');
  switch (command.type) {
    case 'UpdateProject':
      return update(state, command);
    case 'DeleteProject':
      return remove(state);
    case 'ChangeClientAccess':
      return changeAccess(state, command.wanted);
    case 'IssueKey':
      return hasKey(state, command.key) ? [] : [{ type: 'ApiKeyIssued', data: command.key }];
    case 'RevokeKey':
      return state.keys[command.key_id] ? [{ type: 'ApiKeyRevoked', data: { key_id: command.key_id } }] : [];
    case 'CreateStackingRules':
    case 'UpdateStackingRules':
    case 'DeleteStackingRules':
    case 'ReleaseCategory':
      return decideStackingRules(command, state);
    default:
      return command satisfies never;
  }
};
