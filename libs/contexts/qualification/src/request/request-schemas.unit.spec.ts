import { type JsonSchema } from '@scrip/edge';
import { nearSchema, widened } from '@scrip/edge/testing';
import { isRefused } from '@scrip/kernel';
import Ajv2020 from 'ajv/dist/2020';
import fc from 'fast-check';
import { orderRequest, parsePayload, type Reader } from '@scrip/wire/requests';
import { redeemablesRequest } from './redeemables-request';
import { rollbackRequest } from './rollback-request';

const ajv = new Ajv2020({ strict: false });
const inline = (schema: JsonSchema): JsonSchema => schema;

const requests: readonly (readonly [string, Reader<unknown>])[] = [
  ['a validation or redemption', redeemablesRequest],
  ['a rollback', rollbackRequest],
];

describe('readers and the schemas they tell', () => {
  it.each(requests)(
    'agree on what %s is',
    (_, reader) => {
      const validate = ajv.compile(widened(reader.schema));
      const seen = { read: 0, refused: 0 };
      fc.assert(
        fc.property(nearSchema(reader.schema, inline), (value) => {
          const read = !isRefused(parsePayload(reader, value));
          seen[read ? 'read' : 'refused'] += 1;
          expect({ value, admitted: validate(value) }).toEqual({ value, admitted: read });
        }),
        { numRuns: 300, seed: 4 },
      );
      // Otherwise nothing was compared.
      expect(Math.min(seen.read, seen.refused)).toBeGreaterThan(5);
    },
    120_000,
  );
});

it("the schema says at an order's source id what happens to the amounts sent beside it", () => {
  const { properties } = orderRequest.schema as { properties: Record<string, { description?: string }> };
  expect(properties['source_id']?.description).toMatch(/used as it stands: amounts, items .* are ignored/);
  expect(orderRequest({ amount: 1 }, '')).toEqual({ amount: 1 });
});
