import type { User } from './user';

/** A user of a project, as management shows it. Source: reference 07 §14. */
export interface ProjectUserResponse {
  /** `user_…` */
  id: string;
  login: string;
  /** Empty where it is not known. */
  email: string;
  first_name: string;
  last_name: string;
  /** Role by project id: of an owner, and where a user in a session asks, of the project of the call alone. */
  projects: Record<string, string>;
  /** The role in the project of the call. */
  role: string;
  /** Is ADMIN in every project. */
  is_owner: boolean;
}

/** Renders a user for a project. `all`: with the roles in other projects, too. */
export const renderProjectUser = (
  { id, login, email, first_name, last_name, projects, is_owner }: User,
  projectId: string,
  { all }: { all: boolean },
): ProjectUserResponse => {
  const role = is_owner ? 'ADMIN' : (projects[projectId] ?? '');
  return {
    ...{ id, login, first_name, last_name, is_owner },
    email: email ?? '',
    projects: is_owner || !all ? { [projectId]: role } : { ...projects },
    role,
  };
};
