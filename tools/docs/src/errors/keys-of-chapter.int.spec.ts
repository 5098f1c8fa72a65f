import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot, sourcesAndPages } from '../citations/repository';
import { keysOfChapter } from './keys-of-chapter';

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');

/** Keys of what no release serves yet: version 2 of loyalty, and estimates of points. */
const notServed = [
  'invalid_or_expired_cursor',
  'campaign_not_active',
  'campaign_not_allow_auto_join',
  'loyalty_card_not_active',
];

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

  it('are those of a column of keys, and those behind what becomes of a redeemable', () => {
    const page = [
      '| # | Fails when | key | message |',
      '| --- | --- | --- | --- |',
      '| 1 | `active: false` | `voucher_disabled` (404) | voucher is disabled |',
      '| 2 | needs | `missing_order`, `missing_amount` | Missing; … |',
      '',
      '| Condition | key / message |',
      '| twice | `duplicated_redeemables` / "`none`" |',
      '',
      '| Group | key |',
      '| order | order_rules_violated |',
      'Reached: SKIPPED with the first that applies: `limit_a`, `limit_b`. Too much → inapplicable `gift_amount_exceeded`.',
    ];
    expect(keysOfChapter(page.join('\n'))).toEqual([
      'duplicated_redeemables',
      'gift_amount_exceeded',
      'limit_a',
      'limit_b',
      'missing_amount',
      'missing_order',
      'order_rules_violated',
      'voucher_disabled',
    ]);
  });

  it.each([
    ['01-order-calculation', 15],
    ['02-rules-and-qualification', 10],
    ['03-validation-and-redemption', 35],
    ['04-campaigns-and-vouchers', 20],
    ['07-data-and-platform', 20],
  ])('of %s are expected by specs', (chapter, least) => {
    const keys = keysOfChapter(read(`docs/reference/${chapter}.md`));
    expect(keys.length).toBeGreaterThan(least);
    const untested = keys.filter((key) => specsOf(key).length === 0);
    expect(untested.filter((key) => !notServed.includes(key))).toEqual([]);
  });
});
