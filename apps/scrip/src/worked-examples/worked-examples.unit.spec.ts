import { readFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { calculationElsewhere, calculationExamples } from './order-calculation.fixture';
import { redemptionElsewhere, redemptionExamples } from './redemption.fixture';
import { ruleExamples, rulesElsewhere } from './rules.fixture';

const repository = resolve(__dirname, '../../../..');
const reference = resolve(repository, 'docs/reference');
const elsewhere = [...calculationElsewhere, ...rulesElsewhere, ...redemptionElsewhere];
const table = [...calculationExamples, ...ruleExamples, ...redemptionExamples, ...elsewhere];

/** The text of each section of chapters 01 to 03, as `01 §11`. */
const sections = new Map<string, string>();
for (const file of readdirSync(reference)) {
  const [chapter] = /^0[123]/.exec(file) ?? [];
  if (!chapter) continue;
  for (const part of readFileSync(resolve(reference, file), 'utf8').split(/\n(?=###? \d)/)) {
    const number = /^###? (\d+(?:\.\d+)?)/.exec(part)?.[1];
    sections.set(number ? `${chapter} §${number}` : chapter, part);
  }
}

/** What begins an example: the rows of the tables below `Worked examples` or the numbers of its list, and what is called an
 *  example or a worked case elsewhere. */
const examplesOf = (section: string, text: string): string[] => {
  if (!/^###? [\d.]+ Worked examples/.test(text))
    return [...text.matchAll(/(?:\bExample: |\bWorked case: |For the example )[^\n]*/g)].map(
      ([found]) => found,
    );
  const numbered = [...text.matchAll(/^\d+\. (.*)/gm)].map(([, found]) => found!);
  if (numbered.length > 0) return numbered;
  const rows = [...text.matchAll(/^\| (.*?) +\|/gm)].map(([, found]) => found!);
  return rows.filter((cell) => !/^(-+|Discount|Case)$/.test(cell));
};

const found = [...sections].flatMap(([section, text]) =>
  examplesOf(section, text).map((begins) => [section, begins] as const),
);

it('the chapters have examples', () => {
  expect(found.filter(([section]) => section === '01 §11')).toHaveLength(17);
  expect(found.filter(([section]) => section === '03 §4.6')).toHaveLength(5);
  expect(found.length).toBeGreaterThan(25);
});

it.each(found)('%s is in the table: %s', (section, begins) => {
  expect(table.filter((one) => one.section === section && begins.startsWith(one.quote))).not.toEqual([]);
});

it.each(table.map(({ section, quote }) => [section, quote]))('%s still says: %s', (section, quote) => {
  expect(sections.get(section)).toContain(quote);
});

it.each(elsewhere.map((one) => [one.quote, one] as const))('%s is not the table’s', (_, one) => {
  if (one.shownBy)
    expect(readFileSync(resolve(repository, one.shownBy), 'utf8')).toContain(`reference ${one.section}`);
  else {
    const notes = [...sections].filter(([name]) => name.startsWith(one.section.slice(0, 2)));
    expect(notes.flatMap(([, text]) => text.match(/> Not served yet: .*/g) ?? []).join()).toContain(
      one.awaits,
    );
  }
});
