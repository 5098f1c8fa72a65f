import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot, sourcesAndPages } from '../citations/repository';
import { keysOfChapter } from './keys-of-chapter';

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');

/** Keys of what no release serves yet: version 2 of loyalty. */
const notServed = ['invalid_or_expired_cursor'];

const self = 'tools/docs/src/errors/keys-of-chapter.int.spec.ts';
const specs = sourcesAndPages()
  .filter((path) => path.endsWith('.spec.ts') && path !== self)
  .map((path) => ({ path, text: read(path) }));

/** The specs that have a key among what they expect. */
const specsOf = (key: string): string[] =>
  specs.filter(({ text }) => text.includes(`'${key}'`)).map(({ path }) => path);

describe('keys of errors in a chapter', () => {
  it('are those behind a status, and those in tables of errors', () => {
    const page = [
      '| Status | key | When |',
      '| 409 | stacking_rules_exist, branding_exist |  | second singleton |',
      '| 429 | – | too many |',
      '| 423 | loyalty v2 keys |  | state |',
      'Unknown → 404 `not_found`; else 400 `voucher_expired` or `voucher_disabled`. A `word` stands alone.',
    ];
    expect(keysOfChapter(page.join('\n'))).toEqual([
      'branding_exist',
      'not_found',
      'stacking_rules_exist',
      'voucher_disabled',
      'voucher_expired',
    ]);
  });

  it.each(['04-campaigns-and-vouchers', '07-data-and-platform'])('of %s are expected by specs', (chapter) => {
    const keys = keysOfChapter(read(`docs/reference/${chapter}.md`));
    expect(keys.length).toBeGreaterThan(20);
    const untested = keys.filter((key) => specsOf(key).length === 0);
    expect(untested.filter((key) => !notServed.includes(key))).toEqual([]);
  });
});
