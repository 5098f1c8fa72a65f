import { readFileSync, readdirSync } from 'node:fs';
import { calculationPageFile, examplesFolder, shownExamples, withExamples } from './calculation-page';

const committed = readFileSync(calculationPageFile, 'utf8');
const blocks = committed.split(/(?=<!-- example: )/).slice(1);

describe('docs/how-orders-are-calculated.md', () => {
  it.each(blocks.map((block) => [shownExamples(block)[0]!, block] as const))(
    'shows what the command prints for %s (npm run docs:calculation)',
    (_, block) => {
      expect(withExamples(block)).toBe(block);
    },
  );

  it('shows every example once', () => {
    const files = readdirSync(examplesFolder).map((file) => file.replace(/\.json$/, ''));
    expect(shownExamples(committed).sort()).toEqual(files.sort());
  });

  it('is refused where an example cannot be calculated', () => {
    expect(() => withExamples('<!-- example: rounding --nothing -->\n<!-- /example -->')).toThrow(
      '--nothing',
    );
  });
});
