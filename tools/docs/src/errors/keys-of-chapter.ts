/** Keys behind a status, as chapters write errors: 400 `resource_in_use`, also several, joined by commas or words. */
const inText = /\b[45]\d\d (`[a-z][a-z0-9_]*`(?:(?:, | or | and |\/)`[a-z][a-z0-9_]*`)*)/g;
/** The first two cells of a row of a table of errors: the status, and its keys. */
const inTables = /^\| [45]\d\d \| ([a-z][a-z0-9_]*(?:, [a-z][a-z0-9_]*)*) \|/gm;

/** The keys of errors that a chapter of the reference names, each once. */
export const keysOfChapter = (markdown: string): string[] => {
  const ofTables = [...markdown.matchAll(inTables)].flatMap(([, keys]) => keys!.split(', '));
  const ofText = [...markdown.matchAll(inText)].flatMap(
    ([, keys]) => keys!.match(/(?<=`)[a-z0-9_]+(?=`)/g) ?? [],
  );
  return [...new Set([...ofTables, ...ofText])].sort();
};
