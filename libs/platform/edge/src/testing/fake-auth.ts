import type { AuthPort, Credentials, Principal } from '@scrip/contracts/auth';
import { notFound, type ProjectContext, refuse } from '@scrip/kernel';

/** A project for tests of what stands behind the edge. */
export const testProject: ProjectContext = {
  id: 'proj_1',
  name: 'Demo',
  timezone: 'Europe/Warsaw',
  currency: 'EUR',
  caseSensitiveCodes: true,
  apiVersion: 'v2018-08-01',
  webhookVersion: 'v2024-01-01',
  cluster: 'eu1',
};

const allSwitches = {
  client_redeem_enabled: true,
  client_publish_enabled: true,
  client_list_vouchers_enabled: true,
  client_create_customer_enabled: true,
  client_loyalty_events_enabled: true,
  client_set_voucher_expiration_date_enabled: true,
};

/** A principal of `testProject`; fields given replace those of an ADMIN's server key. */
export const testPrincipal = (fields: Partial<Principal> = {}): Principal => ({
  kind: 'server',
  key: { id: 'eu1-app', name: 'Server' },
  role: 'ADMIN',
  scopes: null,
  project: testProject,
  trusted_domains: ['shop.example.com'],
  client_switches: allSwitches,
  ...fields,
});

const secretOf = (credentials: Credentials): string => {
  switch (credentials.kind) {
    case 'token':
      return credentials.access_token;
    case 'session':
      return `${credentials.session_token}:${credentials.project_id ?? ''}`;
    case 'management':
      return `${credentials.management_id}:${credentials.management_token}`;
    default:
      return `${credentials.app_id}:${credentials.app_token}`;
  }
};

/** Auth that knows exactly the given credentials: `{ 'server:app:secret': principal, 'token:abc': principal }`, and the
 *  one project. */
export const fakeAuth = (known: Readonly<Record<string, Principal>>): AuthPort => ({
  authenticate: async (_context, { credentials }) => {
    if (secretOf(credentials).startsWith('us1-'))
      return refuse('forbidden', 'Project is bound to different region');
    return known[`${credentials.kind}:${secretOf(credentials)}`] ?? refuse('unauthorized');
  },
  loadProject: async (_context, { project_id }) =>
    project_id === testProject.id ? testProject : notFound('project', project_id),
  loadManagedProject: async (_context, { project_id }) => notFound('project', project_id),
  loadMetadataSchemas: async () => ({ schemas: [] }),
  loadLocations: async () => ({ locations: [] }),
  keepLocations: async () => ({ locations: [] }),
  restoreLocations: async () => ({ renamed: [], created: [] }),
  useLocations: async () => ({ unknown: [] }),
  loadStackingRules: async () => ({ version: 0, settings: null }),
  releaseCategory: async () => ({ removed: false }),
  enterAudit: async () => ({ told: 0 }),
  countCalls: async (_, { calls }) => ({ calls: [...calls] }),
});

/** Auth in which every project exists whose id begins with `proj_`: the server keys `app` with that id as the token reach it. */
export const anyProjectAuth = (): AuthPort => ({
  authenticate: async (_, { credentials }) =>
    credentials.kind === 'server'
      ? testPrincipal({
          key: { id: 'app', name: 'Server' },
          project: { ...testProject, id: credentials.app_token },
        })
      : refuse('unauthorized'),
  loadProject: async (_, { project_id }) =>
    project_id.startsWith('proj_') ? { ...testProject, id: project_id } : notFound('project', project_id),
  loadManagedProject: async (_, { project_id }) => notFound('project', project_id),
  loadStackingRules: async () => ({ version: 0, settings: null }),
  releaseCategory: async () => ({ removed: false }),
  enterAudit: async () => ({ told: 0 }),
  countCalls: async (_, { calls }) => ({ calls: [...calls] }),
  loadMetadataSchemas: async () => ({ schemas: [] }),
  loadLocations: async () => ({ locations: [] }),
  keepLocations: async () => ({ locations: [] }),
  restoreLocations: async () => ({ renamed: [], created: [] }),
  useLocations: async () => ({ unknown: [] }),
});
