import { type ContextName, contextNames, publicRoutes } from '@scrip/contracts/registry';
import { allContexts } from '@scrip/contexts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { controllersOf } from '../access/controllers.fixture';

interface Schema {
  properties?: Record<string, unknown>;
}
interface Document {
  paths: Record<string, Record<string, { responses: unknown }>>;
  components: { schemas: Record<string, Schema> };
}

const document = JSON.parse(
  readFileSync(join(__dirname, '../../../../libs/platform/edge/src/openapi/openapi.json'), 'utf8'),
) as Document;
const { schemas } = document.components;

const schemasIn = (value: unknown): string[] =>
  Array.from(JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g), ([, name]) => name!);

/** The names of all schemas that a part of the document leads to. */
const reached = (part: unknown): Set<string> => {
  const names = new Set<string>(schemasIn(part));
  for (const name of names) for (const inner of schemasIn(schemas[name])) names.add(inner);
  return names;
};

const isCustomer = (name: string): boolean =>
  JSON.stringify(schemas[name]?.properties?.object ?? null).includes('"customer"');

/** Contexts that keep answers which show customers: every context has a table of keys, and every POST that answers no secret
 *  takes one. */
const keepsCustomers = (): ContextName[] =>
  contextNames.filter((name) =>
    publicRoutes
      .filter(({ owner, method, secret }) => owner === name && method === 'POST' && !secret)
      .some(({ path }) => [...reached(document.paths[path]?.post?.responses ?? null)].some(isCustomer)),
  );

/** The groups of the consumers of a context. */
const groupsOf = (name: ContextName): string[] =>
  allContexts
    .filter((context) => context.name === name)
    .flatMap(controllersOf)
    .flatMap(({ prototype }) =>
      Object.getOwnPropertyNames(prototype).flatMap((method) => {
        const extras = Reflect.getMetadata(
          'microservices:pattern_extras',
          (prototype as Record<string, object>)[method]!,
        ) as Record<string, { group?: string }> | undefined;
        return extras?.['scrip.consumes']?.group ?? [];
      }),
    );

describe('answers kept under an Idempotency-Key (ADR 108)', () => {
  it('show customers in these contexts', () => {
    expect(keepsCustomers()).toEqual(['campaigns', 'customers', 'qualification']);
  });

  it.each(keepsCustomers())('lose who is deleted permanently in %s', (name) => {
    expect(groupsOf(name)).toContain(`${name}.erasure`);
  });
});
