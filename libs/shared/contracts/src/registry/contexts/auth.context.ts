import { dashboard, management, oauth, ofFeature, server } from '../route-row';
import type { RegisteredContext } from '../registered-context';
import { topic } from '../topic';

const projects = '/management/v1/projects';
const stackingRules = `${projects}/{projectId}/stacking-rules` as const;
const users = `${projects}/{projectId}/users` as const;
const keys = `${projects}/{projectId}/keys` as const;
const eventSchemas = `${projects}/{projectId}/custom-event-schemas` as const;
const branding = `${projects}/{projectId}/branding` as const;
const locations = `${projects}/{projectId}/locations` as const;
const schemas = `${projects}/{projectId}/metadata-schemas` as const;

export const auth = {
  name: 'auth',
  owns: 'projects with their stacking rules and what browsers may do there, keys, access tokens, users and their sessions, the audit trail, metadata schemas, schemas of custom events, brandings, locations',
  topics: { project: topic('auth', 'project'), metadataSchema: topic('auth', 'metadata-schema') },
  routes: [
    oauth('POST /v1/oauth/token'),
    oauth('POST /v1/oauth/introspect'),
    oauth('POST /v1/oauth/token/revoke'),

    ...ofFeature('metadata_schemas', [
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
    ]),

    ...ofFeature('custom_events', [
      management(`GET ${eventSchemas}`),
      management(`POST ${eventSchemas}`),
      management(`GET ${eventSchemas}/{customEventSchemaId}`),
      management(`PUT ${eventSchemas}/{customEventSchemaId}`),
      management(`DELETE ${eventSchemas}/{customEventSchemaId}`),
    ]),

    ...ofFeature('locations', [
      server('GET /v1/locations', 'locations'),
      server('GET /v1/locations/{locationId}', 'locations'),
      management(`POST ${locations}`),
      management(`PUT ${locations}/{locationId}`),
      management(`DELETE ${locations}/{locationId}`),
    ]),

    ...ofFeature('branding', [
      management(`GET ${branding}`),
      management(`POST ${branding}`),
      management(`GET ${branding}/{brandingId}`),
      management(`PUT ${branding}/{brandingId}`),
      management(`DELETE ${branding}/{brandingId}`),
    ]),

    ...ofFeature('users', [
      management(`GET ${users}`),
      management(`POST ${users}`, { passwordAgain: true }),
      management(`GET ${users}/{userId}`),
      management(`PUT ${users}/{userId}`, { passwordAgain: true }),
      management(`DELETE ${users}/{userId}`),
      management(`POST ${projects}/users/invite`, { secret: true, passwordAgain: true }),
    ]),

    management(`GET ${keys}`),
    management(`POST ${keys}`, { secret: true, passwordAgain: true }),
    management(`GET ${keys}/{keyId}`),
    management(`PUT ${keys}/{keyId}`, { passwordAgain: true }),
    management(`POST ${keys}/{keyId}/rotate`, { secret: true, passwordAgain: true }),
    management(`DELETE ${keys}/{keyId}`, { passwordAgain: true }),

    management(`POST ${projects}`, { secret: true, passwordAgain: true }),
    management(`GET ${projects}`),
    management(`GET ${projects}/{projectId}`),
    management(`PUT ${projects}/{projectId}`),
    management(`DELETE ${projects}/{projectId}`, { passwordAgain: true }),

    ...ofFeature('stacking_rules', [
      management(`GET ${stackingRules}`),
      management(`POST ${stackingRules}`),
      management(`GET ${stackingRules}/{stackingRulesId}`),
      management(`PUT ${stackingRules}/{stackingRulesId}`),
      management(`DELETE ${stackingRules}/{stackingRulesId}`),
    ]),

    dashboard('POST /dashboard/api/session', { beginsSession: true }),
    dashboard('GET /dashboard/api/session'),
    dashboard('DELETE /dashboard/api/session'),
    dashboard('PUT /dashboard/api/session/password'),
    dashboard('POST /dashboard/api/session/password-again'),
    dashboard('GET /dashboard/api/session/second-factor'),
    dashboard('POST /dashboard/api/session/second-factor', { passwordAgain: true }),
    dashboard('PUT /dashboard/api/session/second-factor'),
    dashboard('DELETE /dashboard/api/session/second-factor', { passwordAgain: true }),
    dashboard('POST /dashboard/api/session/second-factor/backup-codes', { passwordAgain: true }),
    dashboard('GET /dashboard/api/audit', { permission: 'settings' }),
    dashboard('GET /dashboard/api/sessions'),
    dashboard('DELETE /dashboard/api/sessions/{sessionId}'),
  ],
} as const satisfies RegisteredContext;
