import { contexts, type RegisteredContext, type RouteRow } from '@scrip/contracts/registry';
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

const rows = [
  ['App', 'Owns', 'Public routes'],
  ['---', '---', '---'],
  [inCode('gateway'), 'nothing; authenticates, limits and forwards', 'all of them'],
  ...contexts.map((context) => [inCode(context.name), context.owns, routesOf(context)]),
  [inCode('scrip'), 'nothing: all contexts in one process', 'all of them'],
];

const begin = '<!-- written by `npm run docs:contexts` -->\n\n';
const end = '\n<!-- end -->';

/** Returns the page on the architecture with its table of services as the registry of contexts has it. Rejects with
 *  `Error` where the page has no place for the table. */
export const architecturePage = async (): Promise<string> => {
  const page = readFileSync(architecturePageFile, 'utf8');
  const from = page.indexOf(begin);
  const to = page.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`${architecturePageFile} has no place for the table of services`);
  const table = rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
  const formatted = await format(table, { parser: 'markdown', plugins: [markdown] });
  return `${page.slice(0, from)}${begin}${formatted}${page.slice(to)}`;
};
