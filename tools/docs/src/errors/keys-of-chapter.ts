const keys = '`[a-z][a-z0-9_]*`(?:(?:, | or | and |/)`[a-z][a-z0-9_]*`)*';
/** Keys behind a status, as chapters write errors: 400 `resource_in_use`, also several, joined by commas or words. */
const behindStatus = new RegExp(`\\b[45]\\d\\d(?:, key)? (${keys})`, 'g');
/** Keys behind what becomes of a redeemable: inapplicable `gift_amount_exceeded`, SKIPPED with the first that applies: … */
const behindOutcome = new RegExp(
  `\\b(?:inapplicable|INAPPLICABLE|SKIPPED)(?: with the first that applies(?::| of))? (${keys})`,
  'g',
);
/** The first two cells of a row of a table of errors: the status, and its keys. */
const inTables = /^\| [45]\d\d \| ([a-z][a-z0-9_]*(?:, [a-z][a-z0-9_]*)*) \|/gm;

const cellsOf = (row: string): string[] =>
  row
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

/** The cells below a head that says `key`, by itself or before what else stands there. */
const columnsOfKeys = (markdown: string): string[] => {
  let column = -1;
  return markdown.split('\n').flatMap((line) => {
    const cells = line.startsWith('|') ? cellsOf(line) : null;
    if (!cells) column = -1;
    else if (column < 0) column = cells.findIndex((cell) => /^key\b/.test(cell));
    else return cells[column] ?? [];
    return [];
  });
};

/** The words of a cell that are keys: in quotes, else the one that stands alone. */
const keysOfCell = (cell: string): string[] =>
  /^[a-z]+(?:_[a-z]+)+$/.test(cell) ? [cell] : quoted(cell.split(' / ')[0]!);

const quoted = (text: string): string[] => text.match(/(?<=`)[a-z][a-z0-9_]+(?=`)/g) ?? [];

/** The keys of errors, and of what is passed over, that a chapter of the reference names, each once. */
export const keysOfChapter = (markdown: string): string[] => {
  const ofTables = [...markdown.matchAll(inTables)].flatMap(([, list]) => list!.split(', '));
  const ofColumns = columnsOfKeys(markdown).flatMap(keysOfCell);
  const ofText = [behindStatus, behindOutcome].flatMap((form) =>
    [...markdown.matchAll(form)].flatMap(([, list]) => quoted(list!)),
  );
  return [...new Set([...ofTables, ...ofColumns, ...ofText])].sort();
};
