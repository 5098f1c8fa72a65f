import type { JsonSchema } from './json-schema';
import { type NamedSchemas, typeNameOf } from './named-schemas';

/** A request that Scrip sends to endpoints. */
export interface DescribedWebhook {
  kind: string;
  meaning: string;
  /** Type of its `data` among the types of the wire. */
  payload: string;
}

const text = (description: string): JsonSchema => ({ type: 'string', description });
const instant = (description: string): JsonSchema => ({ ...text(description), format: 'date-time' });

const object = (properties: Record<string, JsonSchema>, optional: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

const eventSource = {
  title: 'WebhookEventSource',
  ...object(
    {
      channel: { type: 'string', enum: ['USER_PORTAL', 'API', 'CLIENT_API', 'INTERNAL'] },
      user: { title: 'WebhookUser', ...object({ id: text('Only for USER_PORTAL.') }) },
      api_key: {
        title: 'WebhookApiKey',
        ...object({ name: text('Only for API and CLIENT_API.'), app_id: text('Id of the key.') }),
      },
    },
    ['user', 'api_key'],
  ),
};

/** The envelope of one kind. Source: reference 06 §2. */
const envelope = ({ kind, payload }: DescribedWebhook, schemas: NamedSchemas): JsonSchema =>
  object({
    id: text('Id of the delivery (`whs_…`); the same in all its attempts.'),
    project_id: text('Id of the project.'),
    created_at: instant('When the delivery was made.'),
    type: { type: 'string', enum: [kind] },
    data: schemas.reference(payload),
    source: {
      title: 'WebhookSource',
      ...object({
        id: text('Id of the webhook (`wh_…`).'),
        object: { type: 'string', enum: ['webhook'] },
        target_url: text('Where the delivery goes.'),
      }),
    },
    event: {
      ...object({
        id: text('Id of the fact, the same at every endpoint.'),
        type: { type: 'string', enum: [kind] },
        created_at: instant('When it happened.'),
        entity_id: text('Id of what the kind names.'),
        group_id: text('Id of the request that caused it, as `request_id` in failures.'),
        event_source: eventSource,
      }),
    },
  });

const header = (name: string, description: string): JsonSchema => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** Headers that prove where a delivery comes from. Source: reference 06 §5.1. */
const headers: readonly JsonSchema[] = [
  header('webhook-id', 'The `id` of the body: drop what was seen before.'),
  header('webhook-timestamp', 'Unix seconds of this attempt: refuse what is more than five minutes off.'),
  header(
    'webhook-signature',
    '`v1,` and base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`; two of them, separated by a blank, while a rotated token lasts.',
  ),
  header('X-Service-Signature', 'Hexadecimal HMAC-SHA256 of the body under the whole token.'),
  header('X-Service-Webhook-Version', 'Version of the payload.'),
];

/** The entry of a kind under `webhooks`. */
export const webhookObject = (webhook: DescribedWebhook, schemas: NamedSchemas): JsonSchema => {
  const name = `${typeNameOf(webhook.kind)}Webhook`;
  const schema = schemas.put(name, envelope(webhook, schemas));
  return {
    post: {
      operationId: `on${typeNameOf(webhook.kind)}`,
      summary: webhook.meaning,
      tags: ['Webhooks (management)'],
      parameters: headers,
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: {
        '2XX': { description: 'Received. Anything else, or nothing within 10 s, is tried again.' },
        '410': { description: 'Switches the webhook off.' },
      },
    },
  };
};
