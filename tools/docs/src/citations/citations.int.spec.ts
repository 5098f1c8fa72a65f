import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { citationsIn } from './citations';
import { vagueWordsIn } from './comment-words';
import { pagesOfRepository, problemsOf, repositoryRoot, sourcesAndPages } from './repository';

const pages = pagesOfRepository();
const textOf = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');
const files = sourcesAndPages().map((path) => ({ path, text: textOf(path) }));

/** A name like `validity_*` outside of code loses its star: Markdown reads two of them as emphasis. */
const lostStars = (text: string): string[] =>
  text
    .replace(/```.*?```|`[^`]*`/gs, '')
    .split('\n')
    .filter((line) => /\w\._|[a-z]__(?!\w)/i.test(line.replace(/(?<!\w)_[^_]+_/g, '')));

describe('what sources and pages cite', () => {
  it('exists: sections, items of lists, decisions, paths and links', () => {
    const problems = files.flatMap(({ path, text }) =>
      problemsOf(path, text, pages).map((problem) => `${path}: ${problem}`),
    );
    expect(problems).toEqual([]);
  });

  it('is found by these checks in all of the repository', () => {
    expect(files.flatMap(({ text }) => citationsIn(text)).length).toBeGreaterThan(700);
    expect([...pages.sections.keys()].sort()).toEqual([
      '01',
      '02',
      '03',
      '04',
      '05',
      '06',
      '07',
      'architecture',
    ]);
    expect([...pages.sections.get('architecture')!.keys()]).toEqual(
      Array.from({ length: 12 }, (_, at) => `${at + 1}`),
    );
  });

  it('keeps the stars of names', () => {
    const pagesWith = files.filter(({ path }) => path.endsWith('.md'));
    expect(pagesWith.flatMap(({ path, text }) => lostStars(text).map((line) => `${path}: ${line}`))).toEqual(
      [],
    );
    expect(lostStars('kinds: redemption._, voucher.loyalty_card._ and validity__, of _one_.')).toHaveLength(
      1,
    );
  });
});

test('comments name the caller, process or statement that they are about', () => {
  const sources = files.filter(({ path }) => /^(?:apps|libs|tools)\/.*\.[cm]?[jt]s$/.test(path));
  const folders = ['apps/', 'libs/', 'tools/'];
  for (const folder of folders)
    expect(sources.filter(({ path }) => path.startsWith(folder)).length).toBeGreaterThan(50);
  expect(sources.flatMap(({ path, text }) => vagueWordsIn(text).map((word) => `${path}: ${word}`))).toEqual(
    [],
  );
});
