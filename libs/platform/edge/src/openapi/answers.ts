import { STATUS_CODES } from 'node:http';
import type { RefusalTable } from '../failure/refusals';
import type { RouteRow } from '@scrip/contracts/registry';
import { commonErrors, type ErrorAnswer, errorAnswers, errorSchemaOf, type Reads } from './error-answers';
import type { JsonSchema } from './json-schema';
import type { NamedSchemas } from './named-schemas';
import type { AnswerBody, OperationDescription } from './operation';
import { headersOf } from './response-headers';

interface Answering {
  row: RouteRow;
  /** Name of the operation, as types begin with it: `CreateCampaign`. */
  typeName: string;
  description: OperationDescription;
  refusals: RefusalTable;
  reads: Reads;
  schemas: NamedSchemas;
}

const countSchemas: Readonly<Record<string, JsonSchema>> = {
  total: { type: 'integer', description: 'How many there are on all pages.' },
  has_more: { type: 'boolean' },
  more_starting_after: { type: 'string', description: 'Id to go on from; only where there is more.' },
};

const isAlwaysThere = (count: string, asked: readonly string[]): boolean =>
  count !== 'more_starting_after' && !asked.includes(count);

const listSchema = (
  { list, of, counts, asked = [] }: Extract<AnswerBody, { list: string }>,
  schemas: NamedSchemas,
) => ({
  type: 'object',
  properties: {
    object: { type: 'string', enum: ['list'] },
    data_ref: { type: 'string', enum: [list], description: 'Names the property with the entries.' },
    [list]: { type: 'array', items: schemas.reference(of) },
    ...Object.fromEntries(counts.map((count) => [count, countSchemas[count]])),
  },
  required: ['object', 'data_ref', list, ...counts.filter((count) => isAlwaysThere(count, asked))],
});

const json = (schema: JsonSchema): JsonSchema => ({ 'application/json': { schema } });

const contentOf = (body: AnswerBody, name: string, schemas: NamedSchemas): JsonSchema | null => {
  if (body === null) return null;
  if (typeof body === 'string') return json(schemas.reference(body));
  if ('list' in body) {
    return json(schemas.put(`${body.of.replace(/Response$/, '')}ListResponse`, listSchema(body, schemas)));
  }
  return Object.fromEntries(
    Object.entries(body.media).map(([type, schema]) => [
      type,
      { schema: typeof schema === 'string' ? schemas.reference(schema) : schemas.refer(schema, name) },
    ]),
  );
};

const nameOf = (status: number): string => (STATUS_CODES[status] ?? '').replace(/\W/g, '');

const told = (headers: JsonSchema): JsonSchema => (Object.keys(headers).length > 0 ? { headers } : {});

/** Failures that every counted route answers alike, by name; their schemas are put into `schemas`. */
export const sharedAnswers = (schemas: NamedSchemas): Record<string, JsonSchema> =>
  Object.fromEntries(
    [...commonErrors].map(([status, { description, keys }]) => {
      const schema = schemas.put(`${nameOf(status).replace(/Error$/, '')}Error`, errorSchemaOf(keys));
      return [nameOf(status), { description, ...told(headersOf(status)), content: json(schema) }];
    }),
  );

const linksOf = ({ links }: OperationDescription): JsonSchema => {
  if (!links) return {};
  const linked = Object.entries(links).map(([operationId, parameters]) => {
    const expressions = Object.entries(parameters).map(([name, pointer]) => [
      name,
      `$response.body#${pointer}`,
    ]);
    return [operationId, { operationId, parameters: Object.fromEntries(expressions) as JsonSchema }];
  });
  return { links: Object.fromEntries(linked) as JsonSchema };
};

const isShared = ({ area }: RouteRow, status: number, { description }: ErrorAnswer): boolean =>
  (area !== 'open' || Object.keys(headersOf(status)).length === 0) &&
  commonErrors.get(status)?.description === description;

/** The answers of an operation by status. */
export const answersOf = (answering: Answering): JsonSchema => {
  const { row, typeName, description, refusals, reads, schemas } = answering;
  const headers = (status: number): JsonSchema =>
    row.area === 'open' ? {} : told(headersOf(status, description.header?.name));
  const failures = [...errorAnswers(row, reads, refusals)].map(([status, failure]) => {
    if (isShared(row, status, failure)) return [status, { $ref: `#/components/responses/${nameOf(status)}` }];
    const schema = schemas.put(`${typeName}Error${status}`, errorSchemaOf(failure.keys));
    return [status, { description: failure.description, ...headers(status), content: json(schema) }];
  });
  const own = Object.entries(description.answers).map(([status, body]) => {
    const content = contentOf(body, `${typeName}Response${status === '200' ? '' : status}`, schemas);
    return [
      status,
      {
        description: STATUS_CODES[status] ?? 'Answer',
        ...headers(Number(status)),
        ...(content ? { content } : {}),
        ...(row.area !== 'client' && Number(status) < 300 ? linksOf(description) : {}),
      },
    ];
  });
  return Object.fromEntries([
    ...own,
    ...failures.filter(([status]) => !(Number(status) in description.answers)),
  ]) as JsonSchema;
};
