import type { JsonSchema } from '@scrip/edge';
import { sentKinds, webhookKinds } from '@scrip/webhooks';
import addFormats from 'ajv-formats';
import Ajv2020 from 'ajv/dist/2020';
import { readFileSync } from 'node:fs';
import { filesUnder } from '../types/source-program';
import { openApiFile } from './openapi-file';

interface Golden {
  public: { kind: string; entity_id: string; data: object }[];
}

const document = JSON.parse(readFileSync(openApiFile, 'utf8')) as {
  webhooks: Record<
    string,
    { post: { requestBody: { content: Record<string, { schema: { $ref: string } }> } } }
  >;
  components: { schemas: Record<string, JsonSchema> };
};

const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }));
ajv.addSchema({ ...document, $id: 'openapi' });

const goldens = filesUnder('libs/contexts/webhooks/src/public-events/fixtures', /\.json$/).flatMap((file) =>
  (JSON.parse(readFileSync(file, 'utf8')) as Golden).public.map(
    (event) => [file.split('/').at(-1)!, event] as const,
  ),
);

const deliveryOf = ({ kind, entity_id, data }: Golden['public'][number]) => ({
  id: 'whs_1',
  project_id: 'proj_1',
  created_at: '2026-03-31T10:00:01.000Z',
  type: kind,
  data,
  source: { id: 'wh_1', object: 'webhook', target_url: 'https://shop.example.com/hooks' },
  event: {
    id: 'evred_1',
    type: kind,
    created_at: '2026-03-31T10:00:00.000Z',
    entity_id,
    group_id: 'v-0123456789abcdef01',
    event_source: { channel: 'API', api_key: { name: 'Server', app_id: 'eu1-app' } },
  },
});

const complaints = (kind: string, delivery: unknown): string[] => {
  const { $ref } = document.webhooks[kind]!.post.requestBody.content['application/json']!.schema;
  const validate = ajv.compile({ $ref: `openapi${$ref}` });
  return validate(delivery)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

/** Properties of the value that the schema does not name. */
const unnamed = (schema: JsonSchema, value: unknown, at = ''): string[] => {
  const { $ref, anyOf, items, properties, additionalProperties } = schema;
  if (typeof $ref === 'string')
    return unnamed(document.components.schemas[$ref.split('/').at(-1)!] ?? {}, value, at);
  if (Array.isArray(value))
    return value.flatMap((one, index) => unnamed((items ?? {}) as JsonSchema, one, `${at}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(anyOf)) {
    const tries = (anyOf as JsonSchema[]).map((one) => unnamed(one, value, at));
    return tries.sort((left, right) => left.length - right.length)[0] ?? [];
  }
  if (properties === undefined || additionalProperties !== undefined) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    const known = (properties as Record<string, JsonSchema>)[name];
    return known ? unnamed(known, one, `${at}.${name}`) : [`${at}.${name}`];
  });
};

describe('the webhooks of the API description', () => {
  it('are the kinds that are sent', () => {
    expect(Object.keys(document.webhooks)).toEqual(sentKinds.map(({ kind }) => kind));
  });

  it('have a golden delivery each', () => {
    const told = new Set(goldens.map(([, { kind }]) => kind));
    expect(sentKinds.map(({ kind }) => kind).filter((kind) => !told.has(kind))).toEqual([]);
  });

  it.each(goldens)('describe what is sent: %s', (_, event) => {
    expect(complaints(event.kind, deliveryOf(event))).toEqual([]);
    const { $ref } = document.webhooks[event.kind]!.post.requestBody.content['application/json']!.schema;
    expect(unnamed({ $ref }, deliveryOf(event))).toEqual([]);
  });

  it('refuse another kind, and a delivery without its data', () => {
    const [, event] = goldens[0]!;
    expect(complaints(event.kind, { ...deliveryOf(event), type: 'other' })).not.toEqual([]);
    expect(complaints(event.kind, { ...deliveryOf(event), data: {} })).not.toEqual([]);
  });

  it('are subscribed to by kinds that the description lists, or by *', () => {
    const { properties } = document.components.schemas.WebhookBody as {
      properties: { events: { items: { enum: string[] } } };
    };
    expect(properties.events.items.enum).toEqual([...webhookKinds, '*']);
  });
});
