import { notFound, type Refusal, refuse } from '@scrip/kernel';
import { incorrectRole, isUserRole } from './role';
import { isMember, type User, type UserEvent } from './user';

/** What can be asked of a user. Password hashes are made before: hashing takes long. */
export type UserCommand =
  | { type: 'AddUser'; user: Omit<User, 'projects'> & { projects: Readonly<Record<string, string>> } }
  | { type: 'AddToProject'; project_id: string; role: string }
  | { type: 'ChangeRole'; project_id: string; role: string }
  | { type: 'RemoveFromProject'; project_id: string }
  | { type: 'SetPassword'; password_hash: string; must_change_password: boolean }
  | { type: 'ChangePassword'; from: string | null; password_hash: string; must_change_password: boolean }
  | { type: 'HashAgain'; from: string; password_hash: string }
  | { type: 'SetActive'; is_active: boolean };

/** Projects in which a user has a role; owners aside. Source: reference 07 §2.4. */
export const projectsOfUserMax = 100;

/** What a user's commands refuse with. */
export type UserRefusalKey =
  | 'not_found'
  | 'invalid_payload'
  | 'used_incorrect_role'
  | 'member_already_exists'
  | 'user_not_assigned'
  | 'last_project_of_user'
  | 'resource_protected'
  | 'multiple_requests';

type Decision = UserEvent[] | Refusal<UserRefusalKey>;

const tooManyProjects = (): Refusal<'invalid_payload'> =>
  refuse('invalid_payload', `A user can have roles in at most ${projectsOfUserMax} projects`);

const add = (user: Extract<UserCommand, { type: 'AddUser' }>['user']): Decision => {
  const projects: Record<string, User['projects'][string]> = {};
  for (const [id, role] of Object.entries(user.projects)) {
    if (!isUserRole(role)) return incorrectRole(role);
    projects[id] = role;
  }
  if (Object.keys(projects).length > projectsOfUserMax) return tooManyProjects();
  return [{ type: 'UserAdded', data: { ...user, projects } }];
};

const addToProject = (state: User, project_id: string, role: string): Decision => {
  if (!isUserRole(role)) return incorrectRole(role);
  if (isMember(state, project_id))
    return refuse('member_already_exists', `User ${state.id} has a role in project ${project_id} already`);
  if (Object.keys(state.projects).length >= projectsOfUserMax) return tooManyProjects();
  return [{ type: 'RoleAssigned', data: { project_id, role, before: null } }];
};

const changeRole = (state: User, project_id: string, role: string): Decision => {
  if (!isUserRole(role)) return incorrectRole(role);
  if (!isMember(state, project_id)) return notFound('user', state.id);
  if (state.is_owner)
    return role === 'ADMIN'
      ? []
      : refuse('used_incorrect_role', `The role '${role}' is incorrect: an owner is ADMIN in every project`);
  const before = state.projects[project_id] ?? null;
  return before === role ? [] : [{ type: 'RoleAssigned', data: { project_id, role, before } }];
};

/** A user who is unknown is refused so, too: a manager of one project does not learn of users of others. */
export const notAssigned = (id: string, project_id: string): Refusal<'user_not_assigned'> =>
  refuse('user_not_assigned', `User ${id} is not assigned to project ${project_id}`);

const remove = (state: User, project_id: string): Decision => {
  if (state.is_owner) {
    const details = `Cannot remove user with id ${state.id} from a project: an owner is ADMIN in every project`;
    return refuse('resource_protected', details, { resourceId: state.id, resourceType: 'user' });
  }
  const before = state.projects[project_id];
  if (before === undefined || !isMember(state, project_id)) return notAssigned(state.id, project_id);
  if (Object.keys(state.projects).length === 1)
    return refuse('last_project_of_user', `Project ${project_id} is the last one of user ${state.id}`);
  return [{ type: 'RemovedFromProject', data: { project_id, before } }];
};

/** What follows from a command; an empty list where the user is so already. Refuses `not_found`, and roles and projects
 *  as reference 07 §14 says. */
export const decideUser = (command: UserCommand, state: User | undefined): Decision => {
  if (command.type === 'AddUser') return state ? [] : add(command.user);
  if (!state) return refuse('not_found');
  switch (command.type) {
    case 'AddToProject':
      return addToProject(state, command.project_id, command.role);
    case 'ChangeRole':
      return changeRole(state, command.project_id, command.role);
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
