import { anonymous } from '../routes/route-index';
import type { RouteRow } from '../routes/route-row';
import { answersOf, sharedAnswers } from './answers';
import { dtoSchema } from './dto-schema';
import { errorSchema } from './error-answers';
import type { DescribedRoute } from './controller-operations';
import { introduction } from './introduction';
import type { JsonSchema } from './json-schema';
import type { OperationDescription } from './operation';
import { processRoutes } from './process-routes';
import { headerParameters, parametersOf } from './parameters';
import { rateLimitHeaders } from './rate-limit-headers';
import { securityOf, securitySchemes } from './security';
import { tagOf, tagsOf } from './tags';

type Class = new () => object;

/** A described route with its row. */
interface Described {
  row: RouteRow;
  told: DescribedRoute;
  description: OperationDescription;
}

const templateOf = (route: string): string => {
  const [method = '', path = ''] = route.split(' ');
  return `${method} ${anonymous(path)}`;
};

const describe = (rows: readonly RouteRow[], routes: readonly DescribedRoute[]): Described[] => {
  const byTemplate = new Map([...routes, ...processRoutes].map((told) => [templateOf(told.route), told]));
  const bare = rows.filter((row) => !byTemplate.get(`${row.method} ${anonymous(row.path)}`)?.description);
  if (bare.length > 0) {
    throw new Error(
      `routes without @Operation: ${bare.map((row) => `${row.method} ${row.path}`).join(', ')}`,
    );
  }
  return rows.map((row) => {
    const told = byTemplate.get(`${row.method} ${anonymous(row.path)}`)!;
    return { row, told, description: told.description! };
  });
};

/** The schemas of the document, by name. */
class Schemas {
  private readonly named = new Map<string, JsonSchema>();

  constructor(types: Readonly<Record<string, JsonSchema>>) {
    this.put('Error', errorSchema);
    for (const [name, schema] of Object.entries(types)) this.put(name, schema);
  }

  /** Refers to a body class, which is read on first sight. */
  body(dto: Class): JsonSchema {
    this.put(
      dto.name,
      dtoSchema(dto, 'body', (nested) => this.body(nested)),
    );
    return { $ref: `#/components/schemas/${dto.name}` };
  }

  /** Throws `Error` for a type that nobody told. */
  type(name: string): JsonSchema {
    if (!this.named.has(name)) throw new Error(`no schema of the type ${name}`);
    return { $ref: `#/components/schemas/${name}` };
  }

  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.named].sort(([left], [right]) => left.localeCompare(right, 'en')));
  }

  private put(name: string, schema: JsonSchema): void {
    const known = this.named.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two schemas have the name ${name}`);
    this.named.set(name, schema);
  }
}

const mediaTypeOf = ({ consumes }: RouteRow): string =>
  consumes === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';

const requestBodyOf = ({ row, told, description }: Described, schemas: Schemas): JsonSchema | null => {
  const schema = description.body ?? (told.body && schemas.body(told.body));
  if (!schema) return null;
  const written = description.body ?? dtoSchema(told.body!, 'body', () => ({}));
  const required = ((written.required as string[] | undefined) ?? []).length > 0;
  const { example } = description;
  return { required, content: { [mediaTypeOf(row)]: { schema, ...(example ? { example } : {}) } } };
};

const wordsOf = ({ row, description }: Described): string =>
  [
    description.description,
    row.scope === null ? null : `Scope of access tokens: \`${row.scope}\`.`,
    row.permission === 'none' ? null : `Permission: ${row.permission}.`,
    row.clientSwitch === null ? null : `The project must have \`${row.clientSwitch}\` on.`,
    row.bulk ? 'Counts as a bulk call.' : null,
  ]
    .filter((sentence) => typeof sentence === 'string')
    .join(' ');

const operationIdOf = ({ row, description: { id } }: Described): string =>
  row.area === 'client' ? `client${id[0]!.toUpperCase()}${id.slice(1)}` : id;

const operationObject = (described: Described, schemas: Schemas): JsonSchema => {
  const { row, told, description } = described;
  const body = requestBodyOf(described, schemas);
  const parameters = parametersOf(row, told.query);
  return {
    operationId: operationIdOf(described),
    summary: description.summary,
    description: wordsOf(described),
    tags: [tagOf(row)],
    security: securityOf(row),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: answersOf({
      row,
      description,
      refusals: told.refusals,
      reads: { body: body !== null, query: told.query !== null },
      typeSchema: (name) => schemas.type(name),
    }),
  };
};

/** The OpenAPI 3.1 document of `rows`. `types`: schemas of the wire by type name. Throws `Error` naming routes that nobody
 *  describes, types that nobody knows, and names that are taken twice. */
export const openApiDocument = (
  rows: readonly RouteRow[],
  routes: readonly DescribedRoute[],
  types: Readonly<Record<string, JsonSchema>>,
): JsonSchema => {
  const schemas = new Schemas(types);
  const described = describe(rows, routes);
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const one of described) {
    (paths[one.row.path] ??= {})[one.row.method.toLowerCase()] = operationObject(one, schemas);
  }
  return {
    openapi: '3.1.1',
    info: introduction,
    servers: [{ url: '/', description: 'The server that answers this document.' }],
    tags: tagsOf(rows),
    paths,
    components: {
      schemas: schemas.all(),
      parameters: headerParameters,
      responses: sharedAnswers,
      headers: rateLimitHeaders,
      securitySchemes,
    },
  };
};
