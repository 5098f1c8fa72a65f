import type { UserRole } from './role';

/** A person who signs in, with the roles in projects. Source: reference 07 §2.4. */
export interface User {
  id: string;
  /** Found without regard to case, as `email` is. */
  login: string;
  /** Null where it is not known. */
  email: string | null;
  first_name: string;
  last_name: string;
  /** Has the role ADMIN in every project, also in those that are created later. */
  is_owner: boolean;
  is_active: boolean;
  /** Role by project id. */
  projects: Readonly<Record<string, UserRole>>;
  /** In PHC form; null: no sign-in is possible until a password is set. */
  password_hash: string | null;
  must_change_password: boolean;
}

/** What happened to a user. It is folded into the user's row and not kept as a stream: see the decision on users. */
export type UserEvent =
  | { type: 'UserAdded'; data: User }
  | { type: 'RoleAssigned'; data: { project_id: string; role: UserRole; before: UserRole | null } }
  | { type: 'RemovedFromProject'; data: { project_id: string; before: UserRole } }
  | { type: 'PasswordSet'; data: { password_hash: string; must_change_password: boolean } }
  | { type: 'PasswordHashedAgain'; data: { password_hash: string } }
  | { type: 'UserBlocked'; data: Record<never, never> }
  | { type: 'UserAdmitted'; data: Record<never, never> };

const without = (projects: User['projects'], projectId: string): User['projects'] =>
  Object.fromEntries(Object.entries(projects).filter(([id]) => id !== projectId));

/** Folds what happened to a user. Total: returns undefined for events before the first one. */
export const evolveUser = (state: User | undefined, event: UserEvent): User | undefined => {
  if (event.type === 'UserAdded') return event.data;
  if (!state) return undefined;
  switch (event.type) {
    case 'RoleAssigned':
      return { ...state, projects: { ...state.projects, [event.data.project_id]: event.data.role } };
    case 'RemovedFromProject':
      return { ...state, projects: without(state.projects, event.data.project_id) };
    case 'PasswordSet':
    case 'PasswordHashedAgain':
      return { ...state, ...event.data };
    case 'UserBlocked':
      return { ...state, is_active: false };
    case 'UserAdmitted':
      return { ...state, is_active: true };
    default:
      return event satisfies never;
  }
};

/** Whether a user belongs to a project, blocked or not: owners belong to all. */
export const isMember = (
  { is_owner, projects }: Pick<User, 'is_owner' | 'projects'>,
  projectId: string,
): boolean => is_owner || Object.hasOwn(projects, projectId);

/** The role of an active user in a project; null: none. */
export const roleIn = ({ is_active, is_owner, projects }: User, projectId: string): UserRole | null => {
  if (!is_active) return null;
  if (is_owner) return 'ADMIN';
  return Object.hasOwn(projects, projectId) ? (projects[projectId] ?? null) : null;
};
