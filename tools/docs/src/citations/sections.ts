/** The numbered sections of a page, by number (`4.6`), each with the numbers of its list items (its "steps"). */
export type Sections = ReadonlyMap<string, ReadonlySet<number>>;

const numberedHeading = /^#{2,6} (\d+(?:\.\d+)*)\.? /;
const listItem = /^(\d+)\. /;

/** Reads the numbered headings of a Markdown page (`## 4. Writing`, `### 4.6 Add vouchers`). An item belongs to the
 *  last numbered heading above it. */
export const sectionsOf = (markdown: string): Sections => {
  const sections = new Map<string, Set<number>>();
  let current: Set<number> | undefined;
  for (const line of markdown.split('\n')) {
    const heading = numberedHeading.exec(line)?.[1];
    if (heading) {
      current = sections.get(heading) ?? new Set();
      sections.set(heading, current);
    }
    const item = listItem.exec(line)?.[1];
    if (item) current?.add(Number(item));
  }
  return sections;
};

/** Returns the anchors of a Markdown page's headings, as GitHub makes them. */
export const anchorsOf = (markdown: string): ReadonlySet<string> =>
  new Set(
    [...markdown.matchAll(/^#{1,6} (.+)$/gm)].map(([, title]) =>
      title!
        .trim()
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_\- ]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
