import type { CustomerInput } from '@scrip/contracts/customers';
import type { Metadata } from '@scrip/contracts/snapshot';
import { type Refusal, isRefused, refuse } from '@scrip/kernel';
import {
  customerRequest,
  described,
  jsonObject,
  listOf,
  namedShape,
  nullable,
  parsePayload,
  required,
} from '@scrip/wire/requests';

/** Most customers of one call. Source: reference 04 §11. */
const holdersMax = 100;

/** Body of POST …/holders. */
export const holdersRequest = namedShape('HoldersRequest', {
  holders: required(
    described(
      listOf(customerRequest, { least: 1, most: holdersMax }),
      'Each has an `id` or a `source_id`; the `id` wins.',
    ),
  ),
  metadata: nullable(described(jsonObject, 'Of each holder, by the schema of publications.')),
});

/** Customers that become referees. */
export interface HoldersRequest {
  customers: CustomerInput[];
  metadata: Metadata;
}

const isEmptyList = (body: unknown): boolean => {
  const { holders } = (body ?? {}) as { holders?: unknown };
  return Array.isArray(holders) && holders.length === 0;
};

/** Reads a body; each customer must have a name by which it is found again. */
export const readHoldersRequest = (body: unknown): HoldersRequest | Refusal<'invalid_payload'> => {
  if (isEmptyList(body)) {
    return refuse('invalid_payload', 'Property .holders must NOT have fewer than 1 items');
  }
  const read = parsePayload(holdersRequest, body);
  if (isRefused(read)) return read;
  const { holders: customers, metadata = {} } = read;
  const nameless = customers.findIndex(({ id, source_id }) => !id && !source_id);
  return nameless < 0
    ? { customers, metadata }
    : refuse('invalid_payload', `Property .holders[${nameless}] should have required property 'source_id'`);
};
