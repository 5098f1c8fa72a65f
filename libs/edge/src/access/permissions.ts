import type { Principal } from '@scrip/contracts';
import type { RoutePermission, RouteRow } from '../routes/route-row';

const everything: readonly RoutePermission[] = ['read', 'write', 'validate', 'redeem', 'settings', 'token'];

/** What each role may do; roles that are not listed may do nothing but take a token. Source: spec 07 §2. */
const permissionsOfRole: Readonly<Record<string, readonly RoutePermission[]>> = {
  ADMIN: everything,
  USER: ['read', 'write', 'validate', 'redeem', 'token'],
  USER_RESTRICTED: ['read', 'write', 'validate', 'redeem', 'token'],
  VIEWER: ['read', 'token'],
  MERCHANT: ['read', 'validate', 'redeem', 'token'],
};

const roleAllows = (role: string, permission: RoutePermission): boolean =>
  permission === 'none' ||
  permission === 'token' ||
  (Object.hasOwn(permissionsOfRole, role) && (permissionsOfRole[role]?.includes(permission) ?? false));

const scopeAllows = (scopes: readonly string[], row: RouteRow): boolean => {
  if (row.scope === null) return false;
  return scopes.includes(row.scope) || scopes.includes(row.area === 'client' ? 'client_api' : 'api');
};

/** Whether a caller's scopes and role reach a route. Scopes null (keys) = all that the role allows. */
export const mayCall = ({ scopes, role }: Pick<Principal, 'scopes' | 'role'>, row: RouteRow): boolean =>
  (scopes === null || scopeAllows(scopes, row)) && roleAllows(role, row.permission);

/** Merchants validate and redeem single incentives only. Source: spec 07 §2. */
export const stacksAsMerchant = (role: string, row: RouteRow, body: unknown): boolean => {
  if (role !== 'MERCHANT' || (row.permission !== 'validate' && row.permission !== 'redeem')) return false;
  const redeemables = (body as { redeemables?: unknown } | null | undefined)?.redeemables;
  return Array.isArray(redeemables) && redeemables.length > 1;
};
