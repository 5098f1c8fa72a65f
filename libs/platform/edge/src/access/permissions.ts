import type { Principal } from '@scrip/contracts/auth';
import { asksForStack } from './redeemables';
import type { RoutePermission, RouteRow } from '@scrip/contracts/registry';

const everything: readonly RoutePermission[] = [
  'read',
  'export',
  'write',
  'validate',
  'redeem',
  'settings',
  'token',
];

/** What each role may do. A role that is not listed may do nothing: USER_RESTRICTED and custom roles are limited by
 *  areas, stores and lists of their own that nothing enforces yet. Source: reference 07 §2. */
const permissionsOfRole: Readonly<Record<string, readonly RoutePermission[]>> = {
  ADMIN: everything,
  USER: ['read', 'export', 'write', 'validate', 'redeem', 'token'],
  VIEWER: ['read', 'export', 'token'],
  MERCHANT: ['read', 'validate', 'redeem', 'token'],
};

/** What a role may do. */
export const permissionsOf = (role: string): readonly RoutePermission[] =>
  Object.hasOwn(permissionsOfRole, role) ? (permissionsOfRole[role] ?? []) : [];

const roleAllows = (role: string, permission: RoutePermission): boolean =>
  permission === 'none' || permissionsOf(role).includes(permission);

const groupScopeOf = ({ area }: RouteRow): string => (area === 'client' ? 'client_api' : 'api');

/** What a caller lacks to reach a route. `scope`: the token needs this one, or its group's. `key`: tokens never reach
 *  it. `role`: the role does not allow this permission. */
export type Lacking =
  | { lacks: 'scope'; scope: string; group: string }
  | { lacks: 'key' }
  | { lacks: 'role'; role: string; permission: RoutePermission };

/** What a caller lacks to reach a route, or null where it may call it. Scopes null (keys) = all that the role allows. */
export const lackingPermission = (
  { scopes, role, session }: Pick<Principal, 'scopes' | 'role' | 'session'>,
  row: RouteRow,
): Lacking | null => {
  const group = groupScopeOf(row);
  if (scopes !== null && row.scope === null) return { lacks: 'key' };
  if (scopes !== null && row.scope !== null && !scopes.includes(row.scope) && !scopes.includes(group))
    return { lacks: 'scope', scope: row.scope, group };
  // A management key may do everything; of users only those who may change settings.
  const permission = session && row.area === 'management' ? 'settings' : row.permission;
  return roleAllows(role, permission) ? null : { lacks: 'role', role, permission };
};

/** Says what is lacking, for people. */
export const lackingInWords = (lacking: Lacking): string => {
  switch (lacking.lacks) {
    case 'scope':
      return `The access token needs the scope ${lacking.scope} or ${lacking.group}.`;
    case 'key':
      return 'Access tokens do not reach this call; send a key.';
    case 'role':
      return `The role ${lacking.role} does not include ${lacking.permission}.`;
    default:
      return lacking satisfies never;
  }
};

/** Merchants validate and redeem single incentives only. Source: reference 07 §2. */
export const stacksAsMerchant = (role: string, row: RouteRow, body: unknown): boolean => {
  if (role !== 'MERCHANT' || (row.permission !== 'validate' && row.permission !== 'redeem')) return false;
  return asksForStack(body);
};
