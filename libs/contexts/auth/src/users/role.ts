/** Roles that a user can have in a project. Source: reference 07 §2. */
export const userRoles = ['ADMIN', 'USER', 'VIEWER', 'MERCHANT', 'USER_RESTRICTED'] as const;

/** A role of a user in a project. */
export type UserRole = (typeof userRoles)[number];

export const isUserRole = (role: string): role is UserRole => (userRoles as readonly string[]).includes(role);
