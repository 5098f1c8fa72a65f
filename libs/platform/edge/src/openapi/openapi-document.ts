import { anonymous } from '../routes/route-index';
import type { RouteRow } from '@scrip/contracts/registry';
import { consumedType } from '../media/media-types';
import { fieldsOf } from '../validation/dto-fields';
import { answersOf, sharedAnswers } from './answers';
import { dtoSchema } from './dto-schema';
import { errorSchema } from './error-answers';
import type { DescribedRoute } from './controller-operations';
import { introduction } from './introduction';
import type { JsonSchema } from './json-schema';
import { NamedSchemas, typeNameOf } from './named-schemas';
import type { OperationDescription } from './operation';
import { processRoutes } from './process-routes';
import { headerParameters, parametersOf } from './parameters';
import { responseHeaders } from './response-headers';
import { securityOf, securitySchemes } from './security';
import { tagOf, tagsOf } from './tags';
import { type DescribedWebhook, webhookObject } from './webhooks';

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

const operationIdOf = ({ row, description: { id } }: Described): string =>
  row.area === 'client' ? `client${id[0]!.toUpperCase()}${id.slice(1)}` : id;

/** Refers to a body class and those within it, which are read on first sight. */
const bodySchema = (dto: Class, schemas: NamedSchemas): JsonSchema =>
  schemas.put(
    dto.name,
    dtoSchema(dto, 'body', (nested) => bodySchema(nested, schemas)),
  );

const requestBodyOf = (described: Described, schemas: NamedSchemas): JsonSchema | null => {
  const { row, told, description } = described;
  const schema = description.body
    ? schemas.refer(description.body, `${typeNameOf(operationIdOf(described))}Request`)
    : told.body && bodySchema(told.body, schemas);
  if (!schema) return null;
  const written = description.body ?? dtoSchema(told.body!, 'body', () => ({}));
  const required = written.type === 'array' || ((written.required as string[] | undefined) ?? []).length > 0;
  const { example } = description;
  return { required, content: { [consumedType[row.consumes]]: { schema, ...(example ? { example } : {}) } } };
};

const wordsOf = ({ row, description }: Described): string =>
  [
    description.description,
    row.scope === null ? null : `Scope of access tokens: \`${row.scope}\`.`,
    row.permission === 'none' ? null : `Permission: ${row.permission}.`,
    row.feature === null ? null : `Feature: \`${row.feature}\`.`,
    row.integrationKeysOnly ? 'Keys of integrations only.' : null,
    row.clientSwitch === null ? null : `The project must have \`${row.clientSwitch}\` on.`,
    row.bulk ? 'Counts as a bulk call.' : null,
  ]
    .filter((sentence) => typeof sentence === 'string')
    .join(' ');

const operationObject = (described: Described, schemas: NamedSchemas): JsonSchema => {
  const { row, told, description } = described;
  const body = requestBodyOf(described, schemas);
  const parameters = parametersOf(row, told.query, {
    typeName: typeNameOf(operationIdOf(described)),
    pathExample: description.pathExample ?? {},
    schemas,
  });
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
      typeName: typeNameOf(operationIdOf(described)),
      description,
      refusals: told.refusals,
      reads: {
        body: body !== null,
        query: told.query !== null,
        pages: told.query !== null && fieldsOf(told.query).has('page'),
      },
      schemas,
    }),
  };
};

/** The OpenAPI 3.1 document of `rows`. `types`: schemas of the wire by type name. Throws `Error` naming routes without
 *  a description, types without a schema, and names that are taken twice. */
export const openApiDocument = (
  rows: readonly RouteRow[],
  routes: readonly DescribedRoute[],
  types: Readonly<Record<string, JsonSchema>>,
  webhooks: readonly DescribedWebhook[] = [],
): JsonSchema => {
  const schemas = new NamedSchemas();
  schemas.put('Error', errorSchema);
  for (const [name, schema] of Object.entries(types)) schemas.put(name, schema);
  const responses = sharedAnswers(schemas);
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
    ...(webhooks.length > 0
      ? { webhooks: Object.fromEntries(webhooks.map((one) => [one.kind, webhookObject(one, schemas)])) }
      : {}),
    components: {
      schemas: schemas.all(),
      parameters: headerParameters,
      responses,
      headers: responseHeaders,
      securitySchemes,
    },
  };
};
