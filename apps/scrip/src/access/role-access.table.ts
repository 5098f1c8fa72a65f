import type { RouteRow } from '@scrip/contracts/registry';

/** What a call does, as the roles of reference 07 §2 tell calls apart. */
type Deed = 'read' | 'export' | 'write' | 'validate' | 'redeem' | 'settings' | 'token';

/** Roles, and what each of them may do. Source: reference 07 §2. */
export const deedsOfRoles: Readonly<Record<string, readonly Deed[]>> = {
  ADMIN: ['read', 'export', 'write', 'validate', 'redeem', 'token', 'settings'],
  USER: ['read', 'export', 'write', 'validate', 'redeem', 'token'],
  VIEWER: ['read', 'export', 'token'],
  MERCHANT: ['read', 'validate', 'redeem', 'token'],
  USER_RESTRICTED: [],
  role_0190000000007000800000000000abcd: [],
};

const inside = (folder: string, path: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** What a call does, told by its method and path alone: the table of routes must agree. */
export const deedOf = ({ method, path }: Pick<RouteRow, 'method' | 'path'>): Deed => {
  if (inside('/v1/oauth', path)) return 'token';
  const name = path.replace(/^\/client/, '');
  if (['/v1/validations', '/v1/explanations', '/v1/validate', '/v1/qualifications'].includes(name))
    return 'validate';
  if (method === 'POST' && /\/(validate|validation|qualification)$/.test(name)) return 'validate';
  if (method === 'POST' && (name === '/v1/redemptions' || name === '/v1/redeem')) return 'redeem';
  if (method === 'POST' && name.endsWith('/redemption')) return 'redeem';
  if (inside('/v1/exports', path)) return method === 'DELETE' ? 'write' : 'export';
  if (path.endsWith('/export')) return 'export';
  if (name === '/v1/publications/create') return 'write';
  if (method === 'GET') return 'read';
  return inside('/v1/metadata-schemas', path) ? 'settings' : 'write';
};
