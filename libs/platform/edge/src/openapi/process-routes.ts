import type { DescribedRoute } from './controller-operations';
import type { JsonSchema } from './json-schema';
import type { OperationDescription } from './operation';

const json = (schema: JsonSchema) => ({ media: { 'application/json': schema } });
const state = (status: string): JsonSchema => ({
  type: 'object',
  properties: { status: { type: 'string', enum: [status] } },
  required: ['status'],
});

const route = (name: string, description: OperationDescription): DescribedRoute => ({
  route: name,
  description,
  status: 200,
  body: null,
  query: null,
  refusals: {},
});

/** Routes that each process serves itself, without a controller of a context. */
export const processRoutes: readonly DescribedRoute[] = [
  route('GET /healthz', {
    id: 'isAlive',
    summary: 'Tells that the process is alive',
    answers: { 200: json(state('ok')) },
  }),
  route('GET /readyz', {
    id: 'isReady',
    summary: 'Tells whether the process takes traffic',
    answers: {
      200: json(state('ready')),
      503: json({
        type: 'object',
        properties: {
          status: { type: 'string', enum: ['not_ready'] },
          complaints: { type: 'object', additionalProperties: { type: 'string' } },
        },
        required: ['status', 'complaints'],
      }),
    },
  }),
  route('GET /openapi.json', {
    id: 'readOpenApiDocument',
    summary: 'This document',
    answers: { 200: json({ type: 'object', additionalProperties: true }) },
  }),
  route('GET /openapi.sdk.json', {
    id: 'readSdkDocument',
    summary: 'This document for generators of clients',
    answers: { 200: json({ type: 'object', additionalProperties: true }) },
  }),
  route('GET /docs', {
    id: 'readDocs',
    summary: 'This document as a page',
    answers: { 200: { media: { 'text/html': { type: 'string' } } } },
  }),
  route('GET /docs/{asset}', {
    id: 'readDocsAsset',
    summary: 'Scripts and styles of the page',
    answers: {
      200: { media: { 'text/javascript': { type: 'string' }, 'text/css': { type: 'string' } } },
    },
  }),
];
