import { readFileSync } from 'node:fs';
import { decisionFiles, decisionsPage, decisionsPageFile } from './decisions-page';

describe('docs/adr/README.md', () => {
  const page = readFileSync(decisionsPageFile, 'utf8');

  it('lists every decision by its number and title (npm run docs:decisions)', () => {
    expect(page).toBe(decisionsPage());
    expect(page.match(/^- \d+: /gm)).toHaveLength(decisionFiles().length);
  });

  it('has each number once', () => {
    const numbers = decisionFiles().map((name) => name.slice(0, 4));
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});
