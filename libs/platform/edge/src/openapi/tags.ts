import type { RouteRow } from '@scrip/contracts/registry';
import type { JsonSchema } from './json-schema';

const resourceOf = ({ path, owner }: RouteRow): string => {
  if (owner === null) return 'process';
  const [, first = '', second = '', third = '', fourth = '', fifth = third] = path.split('/');
  if (first === 'dashboard') return 'sessions';
  if (first === 'client') return third;
  if (first !== 'management') return second;
  // What names no project is about what follows: `projects/users/invite`.
  return fourth.startsWith('{') || fourth === '' ? fifth : fourth;
};

const spoken = (resource: string): string => {
  const words = resource === 'oauth' ? 'access tokens' : resource.replaceAll('-', ' ');
  return `${words[0]!.toUpperCase()}${words.slice(1)}`;
};

/** The group of an operation: its resource, browsers' and managers' apart. */
export const tagOf = (row: RouteRow): string => {
  const name = spoken(resourceOf(row));
  if (row.area === 'client') return `${name} (client-side)`;
  return row.area === 'management' ? `${name} (management)` : name;
};

const meaningOf = ({ owner }: RouteRow): string =>
  owner === null ? 'For whoever runs the server.' : `Served by \`${owner}\`.`;

/** The groups in the order of the route table. */
export const tagsOf = (rows: readonly RouteRow[]): JsonSchema[] => {
  const meanings = new Map<string, string>();
  for (const row of rows) if (!meanings.has(tagOf(row))) meanings.set(tagOf(row), meaningOf(row));
  return [...meanings].map(([name, description]) => ({ name, description }));
};
