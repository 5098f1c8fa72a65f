import { type Refusal, refuse } from '@scrip/kernel';
import { isUserRole } from './role';
import type { User, UserEvent } from './user';

/** What can be asked of a user. Password hashes are made before: hashing takes long. */
export type UserCommand =
  | { type: 'AddUser'; user: Omit<User, 'projects'> & { projects: Readonly<Record<string, string>> } }
  | { type: 'AssignRole'; project_id: string; role: string }
  | { type: 'RemoveFromProject'; project_id: string }
  | { type: 'SetPassword'; password_hash: string; must_change_password: boolean }
  | { type: 'ChangePassword'; from: string | null; password_hash: string; must_change_password: boolean }
  | { type: 'HashAgain'; from: string; password_hash: string }
  | { type: 'SetActive'; is_active: boolean };

/** What a user's commands refuse with. */
export type UserRefusalKey =
  'not_found' | 'used_incorrect_role' | 'user_not_assigned' | 'last_project_of_user' | 'multiple_requests';

type Decision = UserEvent[] | Refusal<UserRefusalKey>;

const incorrectRole = (role: string): Refusal<'used_incorrect_role'> =>
  refuse('used_incorrect_role', `The role '${role}' is incorrect`);

const add = (user: Extract<UserCommand, { type: 'AddUser' }>['user']): Decision => {
  const projects: Record<string, User['projects'][string]> = {};
  for (const [id, role] of Object.entries(user.projects)) {
    if (!isUserRole(role)) return incorrectRole(role);
    projects[id] = role;
  }
  return [{ type: 'UserAdded', data: { ...user, projects } }];
};

const assign = (state: User, project_id: string, role: string): Decision => {
  if (!isUserRole(role)) return incorrectRole(role);
  const before = state.projects[project_id] ?? null;
  return before === role ? [] : [{ type: 'RoleAssigned', data: { project_id, role, before } }];
};

const remove = (state: User, project_id: string): Decision => {
  const before = state.projects[project_id];
  if (before === undefined)
    return refuse('user_not_assigned', `User ${state.id} is not assigned to project ${project_id}`);
  if (Object.keys(state.projects).length === 1 && !state.is_owner)
    return refuse('last_project_of_user', `Project ${project_id} is the last one of user ${state.id}`);
  return [{ type: 'RemovedFromProject', data: { project_id, before } }];
};

/** What follows from a command; an empty list where the user is so already. Refuses `not_found`, and roles and projects
 *  as reference 07 §14 says. */
export const decideUser = (command: UserCommand, state: User | undefined): Decision => {
  if (command.type === 'AddUser') return state ? [] : add(command.user);
  if (!state) return refuse('not_found');
  switch (command.type) {
    case 'AssignRole':
      return assign(state, command.project_id, command.role);
    case 'RemoveFromProject':
      return remove(state, command.project_id);
    case 'SetPassword': {
      const { password_hash, must_change_password } = command;
      return [{ type: 'PasswordSet', data: { password_hash, must_change_password } }];
    }
    case 'ChangePassword': {
      const { from, password_hash, must_change_password } = command;
      if (state.password_hash !== from)
        return refuse('multiple_requests', 'The password was changed meanwhile');
      return [{ type: 'PasswordSet', data: { password_hash, must_change_password } }];
    }
    case 'HashAgain': {
      const { from, password_hash } = command;
      return state.password_hash === from ? [{ type: 'PasswordHashedAgain', data: { password_hash } }] : [];
    }
    case 'SetActive':
      if (state.is_active === command.is_active) return [];
      return [{ type: command.is_active ? 'UserAdmitted' : 'UserBlocked', data: {} }];
    default:
      return command satisfies never;
  }
};
