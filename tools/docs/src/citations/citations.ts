/** A cited section. `page`: `architecture`, or a chapter of the reference (`04`). `text`: as written. */
export interface Citation {
  page: string;
  section: string;
  step: number | null;
  text: string;
}

/** A file or folder that is named, and the anchor of its heading where one is named. */
export interface Target {
  path: string;
  anchor: string | null;
}

const place = String.raw`§\d+(?:\.\d+)*(?: step \d+)?`;
const separator = String.raw`(?:, | and | or |; |–|-|\/)`;
const citation = new RegExp(
  String.raw`\b(?:(?:reference )?(0[1-7])|(architecture)) (${place}(?:${separator}${place})*)`,
  'gi',
);
const otherNames = /\bspec 0[1-7](?: §[\d.]*\d)?/gi;
const source = /(?<![A-Za-z])Source: ([^*.\s][^*]{0,59})/g;
const knownSource = /^(?:ADR \d|reference 0[1-7] §\d|architecture §\d|docs\/[\w./-]+|RFC \d+|W3C )/;
const decision = /\bADR (\d+)\b/g;

const targetOf = (target: string): Target => {
  const [path, anchor] = target.split('#');
  return { path: path!.replace(/\/$/, ''), anchor: anchor ?? null };
};

/** Returns the text in one line: continuation lines of a comment follow after a blank. */
export const unwrapped = (text: string): string => text.replace(/\n[ \t]*(?:\*(?!\/)|\/\/|#)?[ \t]*/g, ' ');

/** Returns every section that a text cites: `reference 04 §4.6`, `architecture §8 step 2`, `reference 04 §2–§4`. */
export const citationsIn = (text: string): Citation[] =>
  [...unwrapped(text).matchAll(citation)].flatMap(([, chapter, architecture, places]) =>
    [...places!.matchAll(/§(\d+(?:\.\d+)*)(?: step (\d+))?/g)].map(([written, section, step]) => ({
      page: chapter ?? architecture!.toLowerCase(),
      section: section!,
      step: step === undefined ? null : Number(step),
      text: `${chapter ? `reference ${chapter}` : 'architecture'} ${written}`,
    })),
  );

/** Returns names of chapters in a form that is not resolved: `spec 04 §2`. */
export const unresolvableIn = (text: string): string[] =>
  [...unwrapped(text).matchAll(otherNames)].map(([written]) => written.trim());

/** Returns texts after "Source:" that are no known kind of source. */
export const unknownSourcesIn = (text: string): string[] =>
  [...unwrapped(text).matchAll(source)]
    .map(([, named]) => named!.trim())
    .filter((named) => !knownSource.test(named));

/** Returns the pages that a source names, with the heading where one is named: `docs/reliability.md#kill`. */
export const pagesNamedIn = (text: string): Target[] =>
  [...unwrapped(text).matchAll(/(?<![\w/.-])(docs\/[\w./-]+\.md)(?:#([\w-]+))?/g)].map(
    ([, path, anchor]) => ({
      path: path!,
      anchor: anchor ?? null,
    }),
  );

/** Returns the numbers of the decision records that a text names. */
export const decisionsIn = (text: string): number[] =>
  [...unwrapped(text).matchAll(decision)].map(([, number]) => Number(number));

/** Returns the paths that a Markdown page shows as code, with the heading where one is named; without patterns and
 *  placeholders. */
export const pathsIn = (markdown: string): Target[] =>
  [...markdown.matchAll(/`((?:apps|deploy|docs|libs|tools)\/[^`\s]+)`/g)]
    .map(([, target]) => target!)
    .filter((target) => !/[*<>{}…$]/.test(target))
    .map(targetOf);

/** Returns the targets of links within the repository: a path, an anchor, or both. */
export const linksIn = (markdown: string): Target[] =>
  [...markdown.replace(/```[\s\S]*?```/g, '').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map(targetOf);
