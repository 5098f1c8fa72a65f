import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { calc } from '../calc';
import { plainStyle } from '../report/style';

const repositoryRoot = resolve(__dirname, '../../../..');

/** The page about the engine, and the files it calculates. */
export const calculationPageFile = join(repositoryRoot, 'docs/how-orders-are-calculated.md');
export const examplesFolder = join(repositoryRoot, 'docs/calculation-examples');

/** When the examples are calculated that don't say. */
const now = new Date('2026-03-31T10:00:00.000Z');

const block = /<!-- example: ([\w-]+)((?: --[a-z]+)*) -->[\s\S]*?<!-- \/example -->/g;

const example = (name: string, options: string): string => {
  const file = `docs/calculation-examples/${name}.json`;
  const args = [file, ...options.split(' ').filter((option) => option !== '')];
  const readFile = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');
  const { output, errors } = calc(args, { readFile, now, colours: plainStyle.colours });
  if (errors !== '') throw new Error(errors);
  return `<!-- example: ${name}${options} -->

<details><summary><a href="calculation-examples/${name}.json">${name}.json</a></summary>

\`\`\`json
${readFile(file).trim()}
\`\`\`

</details>

\`\`\`text
$ npm run -s calc -- ${args.join(' ')}
${output.trimEnd()}
\`\`\`

<!-- /example -->`;
};

/** The page with every block between `<!-- example: name -->` and `<!-- /example -->` written anew: the file, the
 *  command and what it prints. Throws `Error` where an example cannot be calculated. */
export const withExamples = (page: string): string =>
  page.replace(block, (_, name: string, options: string) => example(name, options));

/** Names of the examples that the page shows, in its order. */
export const shownExamples = (page: string): string[] => [...page.matchAll(block)].map(([, name]) => name!);
