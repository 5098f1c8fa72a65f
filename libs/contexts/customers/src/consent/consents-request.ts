import type { JsonSchema } from '@scrip/edge';
import { type Refusal, refuse } from '@scrip/kernel';

/** What a customer consents to (true) or does not (false), by the id of the consent. */
export type Consents = Record<string, boolean>;

const limits = { consents: 100, idLength: 512 } as const;

/** The body as the API description has it. */
export const consentsSchema: JsonSchema = {
  type: 'object',
  title: 'ConsentsRequest',
  description:
    'Whether the customer consents, by the id of the consent. `unsubscribed: true` says that it consents to nothing.',
  additionalProperties: { type: 'boolean' },
  maxProperties: limits.consents,
};

const malformed = (details: string): Refusal<'invalid_payload'> => refuse('invalid_payload', details);

/** Refuses what is no object of booleans, and more or longer ids than are stored. */
export const parseConsents = (body: unknown): Consents | Refusal<'invalid_payload'> => {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return malformed('Payload must be object');
  const sent = Object.entries(body as Record<string, unknown>);
  if (sent.length > limits.consents)
    return malformed(`Payload should NOT have more than ${limits.consents} properties`);
  for (const [id, consents] of sent) {
    if (id.length > limits.idLength)
      return malformed(
        `Property .${id.slice(0, 32)}... should NOT be longer than ${limits.idLength} characters`,
      );
    if (typeof consents !== 'boolean') return malformed(`Property .${id} must be boolean`);
  }
  return Object.fromEntries(sent) as Consents;
};
