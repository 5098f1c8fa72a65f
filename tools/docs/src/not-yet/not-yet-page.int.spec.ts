import { publicRoutes } from '@scrip/contracts/registry';
import { readFileSync } from 'node:fs';
import { filesUnder } from '../types/source-program';
import { notYetPage, notYetPageFile } from './not-yet-page';

const page = readFileSync(notYetPageFile, 'utf8');

describe('docs/not-yet.md', () => {
  it('is what the marks of the reference say (npm run docs:not-yet)', () => {
    expect(page).toBe(notYetPage());
  });

  it('has every mark', () => {
    const marks = filesUnder('docs/reference', /^\d\d-.+\.md$/).flatMap(
      (file) => readFileSync(file, 'utf8').match(/^> Not served yet/gm) ?? [],
    );
    expect(marks.length).toBeGreaterThan(10);
    expect(page.match(/^- /gm)).toHaveLength(marks.length);
  });

  it('names routes only as exceptions, and these are served', () => {
    const anonymous = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');
    const served = publicRoutes.map(({ method, path }) => `${method} ${anonymous(path)}`);
    const exceptions = page
      .split('\n')
      .filter((line) => line.includes('everything but '))
      .flatMap((line) => line.match(/\b(?:GET|POST|PUT|DELETE) \/[\w/{}-]+/g) ?? [])
      .map(anonymous);
    expect(exceptions.length).toBeGreaterThan(5);
    expect(exceptions.filter((route) => !served.includes(route))).toEqual([]);
  });
});
