import { publicRoutes } from '@scrip/contracts/registry';
import { type DescribedRoute, failures, type JsonSchema } from '@scrip/edge';

/** A key that calls are refused with. */
export interface ErrorKey {
  key: string;
  /** In ascending order; a key has one almost always. */
  statuses: readonly number[];
  message: string;
  /** `POST /v1/redemptions`, in the order of the route table. */
  operations: readonly string[];
}

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
}

interface Response {
  $ref?: string;
  content?: Record<string, { schema: JsonSchema }>;
}

type Schema = { allOf?: { properties?: { key?: { enum?: string[] } } }[] };

const resolved = (document: JsonSchema, reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], document);

const keysOf = (document: JsonSchema, response: Response): string[] => {
  if (response.$ref !== undefined) return keysOf(document, resolved(document, response.$ref) as Response);
  const { $ref } = response.content?.['application/json']?.schema ?? {};
  if (typeof $ref !== 'string') return [];
  const { allOf = [] } = resolved(document, $ref) as Schema;
  return allOf.flatMap(({ properties }) => properties?.key?.enum ?? []);
};

/** Texts of what the edge answers by itself, and of keys that mean the same everywhere. */
const messagesOfTheEdge = (): Map<string, string> => {
  const told = [
    failures.invalidPayload(''),
    failures.invalidQuery(''),
    failures.pageOverLimit(99),
    failures.unsupportedVersion('', []),
    failures.unauthorized(),
    failures.missingPermission(),
    failures.passwordAgain(),
    failures.integrationKeyRequired(),
    failures.forbidden(''),
    failures.unknownRoute(),
    failures.methodNotAllowed('', []),
    failures.notAcceptable([]),
    failures.keyInFlight(),
    failures.keyReused(),
    failures.tooLarge(),
    failures.unsupportedMediaType(''),
    failures.headersTooLarge(),
    failures.requestTimeout(),
    failures.internalError(),
    failures.unavailable(''),
  ];
  return new Map(told.map(({ key = '', message }) => [key, message]));
};

/** Every key of the document with its statuses, its message and the operations that answer it, in alphabetical order. Throws
 *  `Error` for a key without a message. */
export const errorCatalogue = (document: JsonSchema, routes: readonly DescribedRoute[]): ErrorKey[] => {
  const messages = messagesOfTheEdge();
  for (const { refusals } of routes)
    for (const [key, { message }] of Object.entries(refusals)) messages.set(key, message);
  const found = new Map<string, { statuses: Set<number>; operations: Set<string> }>([
    ['method_not_allowed', { statuses: new Set([405]), operations: new Set() }],
  ]);
  const { paths } = document as unknown as Document;
  for (const { method, path } of publicRoutes) {
    const { responses } = paths[path]![method.toLowerCase()]!;
    for (const [status, response] of Object.entries(responses))
      for (const key of keysOf(document, response)) {
        const known = found.get(key) ?? { statuses: new Set(), operations: new Set() };
        known.statuses.add(Number(status));
        known.operations.add(`${method} ${path}`);
        found.set(key, known);
      }
  }
  return [...found]
    .map(([key, { statuses, operations }]) => {
      const message = messages.get(key);
      if (message === undefined) throw new Error(`${key} has no message in any table`);
      return { key, statuses: [...statuses].sort(), message, operations: [...operations] };
    })
    .sort((left, right) => (left.key < right.key ? -1 : 1));
};
