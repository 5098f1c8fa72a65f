import { readFileSync } from 'node:fs';
import type { JsonSchema } from '@scrip/edge';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { openApiFile } from './openapi-file';

interface Operation {
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: JsonSchema }> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Operation['responses'][string]> };
}

/** A call and what came of it. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As the document has it: `/v1/campaigns/{campaignId}`. */
  path: string;
  status: number;
  body?: unknown;
  answer: unknown;
}

const isSchemaOfObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && 'properties' in value && !('additionalProperties' in value);

/** The document with every object closed: what it does not name is not there. */
const closed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, closed(one)]));
  return isSchemaOfObject(value) ? { ...inner, additionalProperties: false } : inner;
};

const pointer = (...steps: readonly string[]): string =>
  steps.map((step) => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');

const document = JSON.parse(readFileSync(openApiFile, 'utf8')) as Document;
const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }));
ajv.addSchema({ ...document, $id: 'open' });
ajv.addSchema({ ...(closed(document) as object), $id: 'closed' });

const compiled = new Map<string, ValidateFunction>();

const validatorOf = (id: 'open' | 'closed', ...steps: readonly string[]): ValidateFunction => {
  const $ref = `${id}#${pointer(...steps)}`;
  const known = compiled.get($ref) ?? ajv.compile({ $ref });
  compiled.set($ref, known);
  return known;
};

const operationOf = (method: string, path: string): Operation => {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`the document has no ${method} ${path}`);
  return operation;
};

const complaints = (validate: ValidateFunction, value: unknown): string[] =>
  validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message, params }) =>
        [instancePath, message, JSON.stringify(params)].join(' '),
      );

/** What the document says that the body of a call is; JSON where it has none. */
export const mediaTypeOf = (method: string, path: string): string =>
  Object.keys(operationOf(method, path).requestBody?.content ?? {})[0] ?? 'application/json';

/** What the document has against the body of a request. */
export const requestComplaints = ({
  method,
  path,
  body,
}: Pick<Call, 'method' | 'path' | 'body'>): string[] => {
  const { requestBody } = operationOf(method, path);
  if (!requestBody) return body === undefined ? [] : ['takes no body'];
  if (body === undefined) return requestBody.required ? ['needs a body'] : [];
  const [mediaType = ''] = Object.keys(requestBody.content);
  const place = ['paths', path, method.toLowerCase(), 'requestBody', 'content', mediaType, 'schema'];
  return complaints(validatorOf('open', ...place), body);
};

/** What the document has against an answer: its status, its body, a property that it does not name. */
export const answerComplaints = ({ method, path, status, answer }: Call): string[] => {
  const told = operationOf(method, path).responses[status];
  if (!told) return [`status ${status} is not documented`];
  const name = told.$ref?.split('/').at(-1);
  const response = name === undefined ? told : document.components.responses[name];
  if (!response?.content) return answer === null ? [] : ['has no body'];
  const place =
    name === undefined
      ? ['paths', path, method.toLowerCase(), 'responses', String(status)]
      : ['components', 'responses', name];
  return complaints(validatorOf('closed', ...place, 'content', 'application/json', 'schema'), answer);
};
