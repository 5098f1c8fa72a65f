import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { filesUnder, repositoryRoot } from '../types/source-program';

/** Where the page is kept. */
export const notYetPageFile = join(repositoryRoot, 'docs/not-yet.md');

const mark = /^> Not served yet(?::\s*(.+?))?\.?$/;

/** `## 3. Kinds` as a page links to it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

/** The parts of a chapter that are not served yet, with the heading that they stand under. */
const partsOf = (file: string): string[] => {
  let heading = '';
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, title] = /^#+ (.+)$/.exec(line) ?? [];
      if (title !== undefined) heading = title;
      const match = mark.exec(line);
      if (!match) return [];
      const link = `[${heading}](reference/${basename(file)}#${anchorOf(heading)})`;
      // Links of a chapter begin in its folder.
      const text = (match[1] ?? 'the whole section').replaceAll('](../', '](');
      return [`- ${link}: ${text}.`];
    });
};

const titleOf = (file: string): string => /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? basename(file);

/** The page: what the reference describes and this release does not serve, by chapter. */
export const notYetPage = (): string => {
  const chapters = filesUnder('docs/reference', /^\d\d-.+\.md$/)
    .map((file) => ({ title: titleOf(file), parts: partsOf(file) }))
    .filter(({ parts }) => parts.length > 0)
    .map(({ title, parts }) => `## ${title}\n\n${parts.join('\n')}\n`);
  return `# What is not served yet

The [reference](reference/README.md) describes the whole of Scrip. This release lacks the parts below; a call for one of them is
refused in words that say so, or its route answers 404. Kinds and values of them may stand in enumerations already. The list is
written from the marks in the reference by \`npm run docs:not-yet\`.

${chapters.join('\n')}`;
};
