import { management, oauth, server } from '../route-row';
import type { RegisteredContext } from '../registered-context';
import { topic } from '../topic';

const schemas = '/management/v1/projects/{projectId}/metadata-schemas';

export const auth = {
  name: 'auth',
  owns: 'projects, keys, access tokens, users, metadata schemas',
  topics: { project: topic('auth', 'project'), metadataSchema: topic('auth', 'metadata-schema') },
  routes: [
    oauth('POST /v1/oauth/token'),
    oauth('POST /v1/oauth/introspect'),
    oauth('POST /v1/oauth/token/revoke'),

    server('GET /v1/metadata-schemas', 'metadata-schemas'),
    server('POST /v1/metadata-schemas', 'metadata-schemas', { permission: 'settings' }),
    server('GET /v1/metadata-schemas/{resource}', 'metadata-schemas'),
    server('PUT /v1/metadata-schemas/{resource}', 'metadata-schemas', { permission: 'settings' }),
    server('DELETE /v1/metadata-schemas/{resource}', 'metadata-schemas', { permission: 'settings' }),
    management(`GET ${schemas}`),
    management(`POST ${schemas}`),
    management(`GET ${schemas}/{metadataSchemaId}`),
    management(`PUT ${schemas}/{metadataSchemaId}`),
    management(`DELETE ${schemas}/{metadataSchemaId}`),
  ],
} as const satisfies RegisteredContext;
