import { permissionsOf } from '@scrip/edge';
import { type Refusal, refuse } from '@scrip/kernel';
import { roleIn, type User } from './user';

/** A project in which a user has no role reads like an unknown one. Source: reference 07 §2.5. */
export const hasNoRole = (projectId: string): Refusal<'forbidden'> =>
  refuse('forbidden', `The user has no role in project ${projectId}`);

/** Refuses `forbidden` unless the user has a role in the project, and `missing_required_permission` unless it may change settings
 *  there; null for who may. */
export const mustManage = (
  user: User | null | undefined,
  projectId: string,
): Refusal<'forbidden' | 'missing_required_permission'> | null => {
  const role = user ? roleIn(user, projectId) : null;
  if (role === null) return hasNoRole(projectId);
  return permissionsOf(role).includes('settings')
    ? null
    : refuse(
        'missing_required_permission',
        `The role ${role} in project ${projectId} does not include settings.`,
      );
};
