import type { DocumentedCaller } from './documented-caller.fixture';

/** A user who is invited to two projects, leaves one and returns. */
const askUsers = async ({ send }: DocumentedCaller, projectId: string): Promise<void> => {
  const { answer: other } = await send('POST', '/management/v1/projects', {
    body: { name: 'Other', case_sensitive_codes: true, timezone: 'UTC', currency: 'EUR' },
  });
  const roles = { [projectId]: 'USER', [other.id as string]: 'VIEWER' };
  const invitation = { email: `${projectId}@example.com`, first_name: 'Tom', last_name: 'King' };
  const invite = '/management/v1/projects/users/invite';
  for (const projects of [roles, roles, { [projectId]: 'OWNER' }])
    await send('POST', invite, { body: { ...invitation, projects } });
  const users = '/management/v1/projects/{projectId}/users';
  const one = { parameters: { projectId } };
  const { answer: list } = await send('GET', users, one);
  const found = (list.data as { id: string; login: string }[]).find(
    ({ login }) => login === invitation.email,
  );
  const ofUser = { parameters: { projectId, userId: found?.id ?? '' } };
  await send('GET', `${users}/{userId}`, ofUser);
  await send('PUT', `${users}/{userId}`, { ...ofUser, body: { role: 'MERCHANT' } });
  await send('DELETE', `${users}/{userId}`, ofUser);
  await send('DELETE', `${users}/{userId}`, ofUser);
  await send('GET', `${users}/{userId}`, ofUser);
  for (const body of [
    { id: found?.id, role: 'VIEWER' },
    { id: found?.id, role: 'VIEWER' },
    { role: 'VIEWER' },
  ])
    await send('POST', users, { ...one, body });
};

/** A key that is issued, changed, rotated and deleted, and what is refused. */
const askKeys = async ({ send }: DocumentedCaller, projectId: string): Promise<void> => {
  const keys = '/management/v1/projects/{projectId}/keys';
  const one = { parameters: { projectId } };
  const body = { name: 'Till', kind: 'server', role: 'USER', allowed_ips: ['192.0.2.0/24'] };
  const { answer: made } = await send('POST', keys, { ...one, body });
  for (const wrong of [{ role: 'OWNER' }, { allowed_ips: ['x'] }])
    await send('POST', keys, { ...one, body: { ...body, ...wrong } });
  await send('GET', keys, one);
  const ofKey = { parameters: { projectId, keyId: made.id as string } };
  await send('GET', `${keys}/{keyId}`, ofKey);
  await send('PUT', `${keys}/{keyId}`, { ...ofKey, body: { role: 'VIEWER', active: false } });
  await send('PUT', `${keys}/{keyId}`, { ...ofKey, body: { role: 'OWNER' } });
  await send('POST', `${keys}/{keyId}/rotate`, ofKey);
  await send('DELETE', `${keys}/{keyId}`, ofKey);
  await send('GET', `${keys}/{keyId}`, ofKey);
};

/** A schema of custom events, and what is refused. */
const askEventSchemas = async ({ send }: DocumentedCaller, projectId: string): Promise<void> => {
  const schemas = '/management/v1/projects/{projectId}/custom-event-schemas';
  const one = { parameters: { projectId } };
  const body = {
    name: 'read',
    schema: {
      properties: { issue: { type: 'number', optional: false }, at: { type: 'date', optional: true } },
    },
  };
  const { answer: made } = await send('POST', schemas, { ...one, body });
  await send('POST', schemas, { ...one, body });
  await send('GET', schemas, one);
  const ofSchema = { parameters: { projectId, customEventSchemaId: made.id as string } };
  const schema = { properties: { issue: { type: 'string', optional: true, deleted: true } } };
  await send('PUT', `${schemas}/{customEventSchemaId}`, { ...ofSchema, body: { schema } });
  await send('GET', `${schemas}/{customEventSchemaId}`, ofSchema);
  await send('DELETE', `${schemas}/{customEventSchemaId}`, ofSchema);
  await send('GET', `${schemas}/{customEventSchemaId}`, ofSchema);
};

/** The branding of a project, given, changed and taken off. */
const askBranding = async ({ send }: DocumentedCaller, projectId: string): Promise<void> => {
  const branding = '/management/v1/projects/{projectId}/branding';
  const one = { parameters: { projectId } };
  const body = {
    brand: { name: 'Shop', website_url: 'https://shop.example.com' },
    address: { street: 'Main Street 1', city: 'Katowice', postal: null, country: 'Poland' },
    contact: { email: 'ada@example.com' },
  };
  const { answer: made } = await send('POST', branding, { ...one, body });
  await send('POST', branding, { ...one, body });
  await send('GET', branding, one);
  const ofBranding = { parameters: { projectId, brandingId: made.id as string } };
  await send('PUT', `${branding}/{brandingId}`, { ...ofBranding, body: { contact: { phone: '1' } } });
  await send('GET', `${branding}/{brandingId}`, ofBranding);
  await send('DELETE', `${branding}/{brandingId}`, ofBranding);
  await send('GET', `${branding}/{brandingId}`, ofBranding);
};

/** Locations of each kind, drawn by a manager and read by key. */
const askLocations = async ({ send }: DocumentedCaller): Promise<void> => {
  const drawn = '/management/v1/projects/{projectId}/locations';
  const square = [
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ],
  ];
  const shapes = [
    { type: 'circle', format: 'distance', distance: { center: 'geo:52.2,21', radius: '1 km' } },
    { type: 'polygon', format: 'geojson', geojson: { type: 'Polygon', coordinates: square } },
    { type: 'polygon', format: 'geojson', geojson: { type: 'MultiPolygon', coordinates: [square] } },
    { type: 'circle', format: 'distance', distance: { center: 'geo:52.2,21', radius: 'far' } },
  ];
  for (const shape of shapes) await send('POST', drawn, { body: { name: 'Centre', shape } });
  const { answer: list } = await send('GET', '/v1/locations', { query: '?limit=1' });
  const [{ id }] = list.data as [{ id: string }];
  await send('GET', '/v1/locations/{locationId}', { parameters: { locationId: id } });
  const one = { parameters: { locationId: id } };
  await send('PUT', `${drawn}/{locationId}`, { ...one, body: { name: 'Old town' } });
  await send('DELETE', `${drawn}/{locationId}`, one);
  await send('GET', '/v1/locations/{locationId}', { parameters: { locationId: id } });
};

/** A new project, and what managers do with one. */
export const askProjects = async (caller: DocumentedCaller): Promise<void> => {
  const { send } = caller;
  const all = '/management/v1/projects';
  const { answer: made } = await send('POST', all, {
    body: { name: 'Shop', case_sensitive_codes: true, timezone: 'GMT+2', currency: 'EUR' },
  });
  const projectId = made.id as string;
  const one = { parameters: { projectId } };
  await send('GET', all);
  await send('PUT', `${all}/{projectId}`, { ...one, body: { default_code_config: { charset: 'ABC' } } });
  await send('GET', `${all}/{projectId}`, one);
  await askKeys(caller, projectId);
  await askUsers(caller, projectId);
  await askEventSchemas(caller, projectId);
  await askBranding(caller, projectId);
  await askLocations(caller);
  const rules = `${all}/{projectId}/stacking-rules`;
  await send('GET', rules, one);
  const { answer: stored } = await send('POST', rules, {
    ...one,
    body: { exclusive_categories: ['cat_a'] },
  });
  await send('POST', rules, { ...one, body: {} });
  const ofRules = { parameters: { projectId, stackingRulesId: stored.id as string } };
  await send('PUT', `${rules}/{stackingRulesId}`, { ...ofRules, body: { redeemables_limit: 20 } });
  await send('GET', `${rules}/{stackingRulesId}`, ofRules);
  await send('DELETE', `${rules}/{stackingRulesId}`, ofRules);
  await send('DELETE', `${all}/{projectId}`);
  await send('DELETE', `${all}/{projectId}`, one);
};
