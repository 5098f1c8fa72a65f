import { contexts, type RegisteredContext, type RouteRow } from '@scrip/contracts/registry';
import { definedPorts } from '@scrip/kernel';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as markdown from 'prettier/plugins/markdown';
import { format } from 'prettier/standalone';
import { repositoryRoot } from '../types/source-program';

/** The page that describes every context. */
export const architecturePageFile = join(repositoryRoot, 'docs/architecture.md');

const segmentsOfResource: Readonly<Record<RouteRow['area'], number>> = {
  server: 2,
  oauth: 2,
  open: 2,
  client: 3,
  dashboard: 3,
  management: 5,
};

const resourceOf = ({ path, area }: RouteRow): string =>
  path
    .split('/')
    .slice(0, segmentsOfResource[area] + 1)
    .join('/');

const inCode = (text: string): string => `\`${text}\``;

const routesOf = ({ routes }: RegisteredContext): string => {
  const resources = [...new Set(routes.map(resourceOf))];
  return resources.length === 0 ? 'none' : resources.map(inCode).join(', ');
};

const services = (): string[][] => [
  ['App', 'Owns', 'Public routes'],
  ['---', '---', '---'],
  [inCode('gateway'), 'nothing; authenticates, limits and forwards', 'all of them'],
  ...contexts.map((context) => [inCode(context.name), context.owns, routesOf(context)]),
  [inCode('scrip'), 'nothing: all contexts in one process', 'all of them'],
];

const ports = async (): Promise<string[][]> => {
  await Promise.all(contexts.map(({ name }) => import(`@scrip/contracts/${name}`)));
  const names = new Set<string>(contexts.map(({ name }) => name));
  const ofContexts = definedPorts().filter(({ name }) => names.has(name));
  const inOrder = ofContexts.sort((one, other) => one.name.localeCompare(other.name));
  return [
    ['Port', 'Methods'],
    ['---', '---'],
    ...inOrder.map(({ name, methods }) => [inCode(name), methods.map(inCode).join(', ')]),
  ];
};

const end = '\n<!-- end -->';

const tableInPlace = async (page: string, name: string, rows: string[][]): Promise<string> => {
  const begin = `<!-- ${name}, written by \`npm run docs:contexts\` -->\n\n`;
  const from = page.indexOf(begin);
  const to = page.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`${architecturePageFile} has no place for the table of ${name}`);
  const table = rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
  const formatted = await format(table, { parser: 'markdown', plugins: [markdown] });
  return `${page.slice(0, from)}${begin}${formatted}${page.slice(to)}`;
};

/** Returns the page on the architecture with its tables of services and of ports as the contexts declare them. Rejects
 *  with `Error` where the page has no place for one. */
export const architecturePage = async (): Promise<string> => {
  const page = readFileSync(architecturePageFile, 'utf8');
  return tableInPlace(await tableInPlace(page, 'services', services()), 'ports', await ports());
};
