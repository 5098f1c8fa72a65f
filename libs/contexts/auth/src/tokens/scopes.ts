import { publicRoutes } from '@scrip/contracts/registry';

/** Of the first part of the table, whether a route is served already or not. */
const serverScopes: readonly string[] = [
  'assets',
  'async-actions',
  'campaigns',
  'categories',
  'consents',
  'customers',
  'events',
  'exports',
  'locations',
  'loyalties',
  'metadata-schemas',
  'orders',
  'product-collections',
  'products',
  'skus',
  'promotions',
  'publications',
  'qualifications',
  'redemptions',
  'referrals',
  'rewards',
  'segments',
  'task-results',
  'templates',
  'trash-bin',
  'validation-rules',
  'validation-rules-assignments',
  'validations',
  'vouchers',
];

const clientScopes: readonly string[] = [
  'client_promotions',
  'client_qualifications',
  'client_validations',
  'client_validate',
  'client_redemptions',
  'client_redeem',
  'client_publish',
  'client_events',
  'client_vouchers',
  'client_customers',
  'client_consents',
];

const scopesOfRoutes = publicRoutes.flatMap(({ scope }) => (scope === null ? [] : [scope]));

/** Every scope a token can have. Source: reference 07 §2.2, §2.3. */
export const knownScopes: ReadonlySet<string> = new Set([
  'api',
  'client_api',
  ...serverScopes,
  ...clientScopes,
  ...scopesOfRoutes,
]);

/** Returns the names in a `scope` text (separated by single spaces) that are not scopes, in their order. */
export const unknownScopes = (scope: string): string[] =>
  scope.split(' ').filter((name) => !knownScopes.has(name));
