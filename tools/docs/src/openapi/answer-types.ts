import type { AnswerBody, DescribedRoute, JsonSchema } from '@scrip/edge';
import { exportedTypes, filesUnder, sourceProgram } from '../types/source-program';
import { TypeSchemas } from '../types/type-schemas';

const namesIn = (body: AnswerBody): string[] => {
  if (body === null) return [];
  if (typeof body === 'string') return [body];
  return 'list' in body ? [body.of] : [];
};

/** Names of the types that the routes answer. */
const answered = (routes: readonly DescribedRoute[]): string[] => [
  ...new Set(routes.flatMap(({ description }) => Object.values(description?.answers ?? {}).flatMap(namesIn))),
];

/** Schemas of the types that routes answer, of `others`, and of those they are made from. A type is found by its name among the
 *  exports of all `*.wire.ts` files; throws `Error` for one that is not there. */
export const answerTypes = (
  routes: readonly DescribedRoute[],
  others: readonly string[] = [],
): Record<string, JsonSchema> => {
  const files = filesUnder('libs', /\.wire\.ts$/);
  const program = sourceProgram(files);
  const exported = exportedTypes(program, files);
  const schemas = new TypeSchemas(program.getTypeChecker(), '#/components/schemas/', exported);
  for (const name of [...answered(routes), ...others]) {
    const found = exported.get(name);
    if (!found) throw new Error(`no *.wire.ts exports the type ${name}`);
    schemas.of(found.type);
  }
  return schemas.definitions;
};
