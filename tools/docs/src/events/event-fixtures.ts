import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { filesUnder } from '../types/source-program';

/** A stored event of one schema version, as released code wrote it. */
export interface EventFixture {
  version: number;
  data: unknown;
}

const versionOf = (file: string): number => Number(/\.v(\d+)\.json$/.exec(file)?.[1]);

/** The golden files of a service's events by type, oldest version first. */
export const eventFixtures = (service: string): ReadonlyMap<string, EventFixture[]> => {
  const found = new Map<string, EventFixture[]>();
  // What webhooks make of other services' events is not what these look like.
  const files = filesUnder(`libs/contexts/${service}/src`, /\.v\d+\.json$/).filter(
    (file) => file.includes('/fixtures/') && !file.includes('/public-events/'),
  );
  for (const file of files) {
    const { type, data } = JSON.parse(readFileSync(file, 'utf8')) as { type: string; data: unknown };
    const version = versionOf(basename(file));
    found.set(type, [...(found.get(type) ?? []), { version, data }]);
  }
  for (const versions of found.values()) versions.sort((left, right) => left.version - right.version);
  return found;
};
