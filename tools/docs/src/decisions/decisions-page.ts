import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { repositoryRoot } from '../types/source-program';

const folder = join(repositoryRoot, 'docs/adr');

/** The page that lists the decisions. */
export const decisionsPageFile = join(folder, 'README.md');

/** Files of decisions, by number. */
export const decisionFiles = (): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== basename(decisionsPageFile))
    .sort();

/** The line of one decision. Throws `Error` where the file does not begin with its own number and a title. */
const lineOf = (name: string): string => {
  const [number] = /^\d{4}/.exec(name) ?? [];
  const [heading] = readFileSync(join(folder, name), 'utf8').split('\n', 1);
  const [, headed, title] = /^# (\d+)\. (.+)$/.exec(heading ?? '') ?? [];
  if (number === undefined || headed === undefined || Number(number) !== Number(headed))
    throw new Error(`${name} does not begin with its number and a title`);
  return `- ${headed}: [${title}](${name})`;
};

/** The page: every decision with its number and title. */
export const decisionsPage = (): string => `# Decisions

One page each: what was decided, why, and what the alternative would cost. They add to the
[architecture](../architecture.md); where a record deviates from it, it says so. The list is written by
\`npm run docs:decisions\`.

${decisionFiles().map(lineOf).join('\n')}
`;
