import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Upcasters, newestSchemaVersion, upcast } from './upcasting';

/** An event as some release stored it, frozen: `newest` is what its data has to become, `data` itself by default. */
export interface EventFixture {
  type: string;
  schema_version: number;
  data: Record<string, unknown>;
  newest?: Record<string, unknown>;
}

interface Fixture extends EventFixture {
  file: string;
}

const fixturesIn = (folder: string): Fixture[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => ({ ...(JSON.parse(readFileSync(join(folder, file), 'utf8')) as EventFixture), file }));

const versionsUpTo = (newest: number): number[] => Array.from({ length: newest }, (_, index) => index + 1);

/** What is wrong with the frozen events (`*.json`) of a folder, empty when nothing is: each must upcast to its
 *  `newest` data, none may be newer than its type's newest version, and each of `types` needs one fixture for every
 *  version that was ever stored. Source: spec 06 §9.3. */
export const fixtureProblems = (
  folder: string,
  types: readonly string[],
  upcasters: Upcasters | undefined,
): string[] => {
  const fixtures = fixturesIn(folder);
  const wrong = fixtures.flatMap(({ file, type, schema_version, data, newest }) => {
    if (!types.includes(type)) return [`${file}: ${type} is no event of this aggregate`];
    if (schema_version > newestSchemaVersion(upcasters, type))
      return [`${file}: newer than the newest version`];
    const same = isDeepStrictEqual(upcast(upcasters, type, schema_version, data), newest ?? data);
    return same ? [] : [`${file}: upcasts to something else`];
  });
  const missing = types.flatMap((type) =>
    versionsUpTo(newestSchemaVersion(upcasters, type))
      .filter((version) => !fixtures.some((known) => known.type === type && known.schema_version === version))
      .map((version) => `${type}: no fixture of version ${version}`),
  );
  return [...wrong, ...missing];
};
