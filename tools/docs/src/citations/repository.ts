import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  citationsIn,
  decisionsIn,
  linksIn,
  pathsIn,
  pagesNamedIn,
  unknownSourcesIn,
  unresolvableIn,
} from './citations';
import { type Sections, anchorsOf, sectionsOf } from './sections';

/** Where relative paths begin. */
export const repositoryRoot = resolve(__dirname, '../../../..');

const folders = ['apps', 'deploy', 'docs', 'libs', 'tools'];
const left = new Set(['node_modules', 'dist', 'coverage', 'reports']);
const read = /\.(?:ts|mjs|cjs|js|md)$/;
/** The specs of these very checks cite what does not exist. */
const own = 'tools/docs/src/citations';

const filesBelow = (folder: string): string[] =>
  readdirSync(join(repositoryRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return left.has(entry.name) || path === own ? [] : filesBelow(path);
    return read.test(entry.name) ? [path] : [];
  });

/** Returns the paths of all sources and pages. */
export const sourcesAndPages = (): string[] => [
  ...readdirSync(repositoryRoot).filter((name) => read.test(name)),
  ...folders.flatMap(filesBelow),
];

/** A repository that citations are resolved in. */
export interface Pages {
  sections: ReadonlyMap<string, Sections>;
  decisions: ReadonlySet<number>;
  /** Whether a file or folder exists, by its path from the root. */
  exists(path: string): boolean;
  /** The text of a page, by its path from the root. */
  text(path: string): string;
}

/** Reads the pages of this repository. */
export const pagesOfRepository = (): Pages => {
  const text = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');
  const chapters = readdirSync(join(repositoryRoot, 'docs/reference')).filter((name) => /^0\d-/.test(name));
  return {
    sections: new Map([
      ['architecture', sectionsOf(text('docs/architecture.md'))],
      ...chapters.map((name) => [name.slice(0, 2), sectionsOf(text(`docs/reference/${name}`))] as const),
    ]),
    decisions: new Set(
      readdirSync(join(repositoryRoot, 'docs/adr'))
        .filter((name) => /^\d{4}-/.test(name))
        .map((name) => Number(name.slice(0, 4))),
    ),
    exists: (path) => existsSync(join(repositoryRoot, path)),
    text,
  };
};

const citationProblems = (text: string, { sections, decisions }: Pages): string[] => [
  ...citationsIn(text).flatMap(({ page, section, step, text: written }) => {
    const steps = sections.get(page)?.get(section);
    if (!steps) return [`${written}: no such section`];
    return step === null || steps.has(step) ? [] : [`${written}: no such item in the section`];
  }),
  ...unresolvableIn(text).map((written) => `${written}: cite it as "reference 0N §x"`),
  ...decisionsIn(text)
    .filter((number) => !decisions.has(number))
    .map((number) => `ADR ${number}: no such decision`),
];

const linkProblems = (written: string, target: string, anchor: string | null, pages: Pages): string[] => {
  if (!pages.exists(target)) return [`${written}: no such file or folder`];
  if (anchor === null || !target.endsWith('.md') || anchorsOf(pages.text(target)).has(anchor)) return [];
  return [`${written}#${anchor}: no such heading`];
};

const sourceProblems = (text: string, pages: Pages): string[] => [
  ...unknownSourcesIn(text).map((named) => `Source: ${named}: not a section, page or standard`),
  ...pagesNamedIn(text).flatMap(({ path, anchor }) => linkProblems(path, path, anchor, pages)),
];

const pageProblems = (path: string, text: string, pages: Pages): string[] => [
  ...pathsIn(text).flatMap(({ path: named, anchor }) => linkProblems(named, named, anchor, pages)),
  ...linksIn(text).flatMap((link) =>
    linkProblems(link.path, link.path === '' ? path : join(dirname(path), link.path), link.anchor, pages),
  ),
];

/** Returns what a source or page cites and does not exist: sections, decisions, sources of docstrings and, in pages,
 *  paths and links. */
export const problemsOf = (path: string, text: string, pages: Pages): string[] => [
  ...citationProblems(text, pages),
  ...(path.endsWith('.md') ? pageProblems(path, text, pages) : sourceProblems(text, pages)),
];
