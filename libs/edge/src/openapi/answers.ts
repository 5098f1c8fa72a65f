import { STATUS_CODES } from 'node:http';
import type { RefusalTable } from '../failure/refusals';
import type { RouteRow } from '../routes/route-row';
import { commonErrors, errorAnswers } from './error-answers';
import type { JsonSchema } from './json-schema';
import type { AnswerBody, OperationDescription } from './operation';
import { headersOf } from './rate-limit-headers';

interface Answering {
  row: RouteRow;
  description: OperationDescription;
  refusals: RefusalTable;
  reads: { body: boolean; query: boolean };
  typeSchema: (name: string) => JsonSchema;
}

const countSchemas: Readonly<Record<string, JsonSchema>> = {
  total: { type: 'integer', description: 'How many there are on all pages.' },
  has_more: { type: 'boolean' },
  more_starting_after: { type: 'string', description: 'Id to go on from; only where there is more.' },
};

const listSchema = (
  { list, of, counts }: Extract<AnswerBody, { list: string }>,
  typeSchema: (name: string) => JsonSchema,
): JsonSchema => ({
  type: 'object',
  properties: {
    object: { const: 'list' },
    data_ref: { const: list, description: 'Names the property with the entries.' },
    [list]: { type: 'array', items: typeSchema(of) },
    ...Object.fromEntries(counts.map((count) => [count, countSchemas[count]])),
  },
  required: ['object', 'data_ref', list, ...counts.filter((count) => count !== 'more_starting_after')],
});

const failureAnswer = (description: string, headers: JsonSchema): JsonSchema => ({
  description,
  ...headers,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

const nameOf = (status: number): string => (STATUS_CODES[status] ?? '').replace(/\W/g, '');

/** Failures that every counted route answers alike, by name. */
export const sharedAnswers: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  [...commonErrors].map(([status, text]) => [
    nameOf(status),
    failureAnswer(text, Object.keys(headersOf(status)).length > 0 ? { headers: headersOf(status) } : {}),
  ]),
);

const sharedAnswer = ({ area }: RouteRow, status: number, text: string): JsonSchema | null =>
  area !== 'open' && commonErrors.get(status) === text
    ? { $ref: `#/components/responses/${nameOf(status)}` }
    : null;

const contentOf = (body: AnswerBody, typeSchema: (name: string) => JsonSchema): JsonSchema | null => {
  if (body === null) return null;
  if (typeof body === 'string') return { 'application/json': { schema: typeSchema(body) } };
  if ('list' in body) return { 'application/json': { schema: listSchema(body, typeSchema) } };
  return Object.fromEntries(Object.entries(body.media).map(([type, schema]) => [type, { schema }]));
};

/** The answers of an operation by status. */
export const answersOf = ({ row, description, refusals, reads, typeSchema }: Answering): JsonSchema => {
  const headers = (status: number): JsonSchema => {
    const told = row.area === 'open' ? {} : headersOf(status);
    return Object.keys(told).length > 0 ? { headers: told } : {};
  };
  const failures = [...errorAnswers(row, reads, refusals)].map(([status, text]) => [
    status,
    sharedAnswer(row, status, text) ?? failureAnswer(text, headers(status)),
  ]);
  const own = Object.entries(description.answers).map(([status, body]) => {
    const content = contentOf(body, typeSchema);
    return [
      status,
      {
        description: STATUS_CODES[status] ?? 'Answer',
        ...headers(Number(status)),
        ...(content ? { content } : {}),
      },
    ];
  });
  return Object.fromEntries([
    ...own,
    ...failures.filter(([status]) => !(Number(status) in description.answers)),
  ]) as JsonSchema;
};
