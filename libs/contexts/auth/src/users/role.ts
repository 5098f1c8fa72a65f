import { type Refusal, refuse } from '@scrip/kernel';

/** Roles that a user can have in a project. Source: reference 07 §2. */
export const userRoles = ['ADMIN', 'USER', 'VIEWER', 'MERCHANT', 'USER_RESTRICTED'] as const;

/** A role of a user in a project. */
export type UserRole = (typeof userRoles)[number];

export const isUserRole = (role: string): role is UserRole => (userRoles as readonly string[]).includes(role);

/** Refuses a role that nothing can have. Source: reference 07 §14. */
export const incorrectRole = (role: string): Refusal<'used_incorrect_role'> =>
  refuse(
    'used_incorrect_role',
    `The role '${role}' is incorrect. It should be one of ${userRoles.join(', ')}`,
  );
