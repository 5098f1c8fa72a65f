import type { Metadata } from '@scrip/contracts/snapshot';
import { categoryFields } from '@scrip/incentives';
import { campaignSnapshot } from '../campaign/campaign.fixture';
import { voucherTemplateOf } from '../voucher/voucher-template';
import { type VoucherState, voucherOf } from '../voucher/voucher.decider';
import { decideFollowing } from './following.decider';

const template = voucherTemplateOf(campaignSnapshot());
const own = { id: 'v_1', code: 'A', created_at: '2026-03-01T00:00:00.000Z' };
const single = (fields: Partial<VoucherState['voucher']> = {}): VoucherState => ({
  voucher: { ...voucherOf(template, own), ...fields },
  code_key: 'A',
});
const made = (ownFields: string[], fields: Partial<VoucherState['voucher']> = {}): VoucherState => ({
  ...single(fields),
  definition: { revision: 1, template, parted: false, ownFields },
});
const now = '2026-03-05T10:00:00.000Z';
const until = '2030-01-01T00:00:00.000Z';
const change = {
  before: { expiration_date: null, redemption: { quantity: 5, redeemed_quantity: 0 } },
  after: { expiration_date: until, redemption: { quantity: 2, redeemed_quantity: 0 } },
  async_action_id: 'aa_1',
  now,
};
const followed = (fields: object) => [
  { type: 'VoucherFollowedCampaign', data: { async_action_id: 'aa_1', fields, updated_at: now } },
];
const limit = { redemption: { quantity: 2, redeemed_quantity: 0 } };

describe('a voucher whose campaign changed', () => {
  it.each<[string, VoucherState, object[], { before?: typeof change.before }?]>([
    ['takes over what it inherited', single(), followed({ expiration_date: until, ...limit })],
    ['keeps what it says itself', single({ expiration_date: '2027-01-01T00:00:00.000Z' }), followed(limit)],
    ['keeps what its order set', made(['expiration_date']), followed(limit)],
    [
      'takes over what its revision said, whatever the campaign said meanwhile',
      made([], { additional_info: 'own' }),
      followed({ expiration_date: until, ...limit }),
    ],
    [
      'takes over again what it took over from the change before',
      made([], { redemption: { quantity: 9, redeemed_quantity: 0 } }),
      followed({ expiration_date: until, ...limit }),
      { before: { expiration_date: null, redemption: { quantity: 9, redeemed_quantity: 0 } } },
    ],
    [
      'keeps what its order set, also where the campaign said the same',
      made(['expiration_date'], { redemption: { quantity: 9, redeemed_quantity: 0 } }),
      [],
    ],
    ['says so already', single({ expiration_date: until, ...limit }), []],
  ])('%s', (_, state, events, said = {}) => {
    expect(decideFollowing({ ...change, ...said }, state)).toEqual(events);
  });

  describe('by metadata', () => {
    const from = { metadata: { a: 1, gone: 'x' } };
    const inherited = { ...template, metadata: { a: 1, gone: 'x' } };
    const changed = { ...change, before: from, after: { metadata: { a: 2, fresh: true } } };
    const ordered = (metadata: Metadata, ownFields: string[]): VoucherState => ({
      ...single({ metadata }),
      definition: { revision: 1, template: { ...inherited, metadata }, parted: false, ownFields },
    });
    it.each<[string, VoucherState, object | null]>([
      ['follows in all that it inherited', single({ metadata: { a: 1, gone: 'x' } }), { a: 2, fresh: true }],
      [
        'with a key of its own follows in the others',
        single({ metadata: { a: 1, gone: 'x', mine: 1 } }),
        { a: 2, fresh: true, mine: 1 },
      ],
      ['keeps the keys that it says itself', single({ metadata: { a: 5, gone: 'y', fresh: false } }), null],
      ['keeps what it took away', single({ metadata: { gone: 'x' } }), { fresh: true }],
      [
        'keeps the keys that its order set',
        ordered({ a: 1, mine: 1 }, ['metadata.a', 'metadata.gone', 'metadata.mine']),
        { a: 1, mine: 1, fresh: true },
      ],
      [
        'keeps all of them where an earlier release ordered it with its own',
        ordered({ a: 1 }, ['metadata']),
        null,
      ],
    ])('%s', (_, state, metadata) => {
      expect(decideFollowing(changed, state)).toEqual(metadata ? followed({ metadata }) : []);
    });
  });

  it('takes over a category whole, whatever was noted of the one before', () => {
    const category = (id: string, hierarchy: number) =>
      categoryFields({ id, name: id, hierarchy, object: 'category', created_at: now });
    const [noted, current, next] = [category('cat_1', 1), category('cat_1', 2), category('cat_2', 3)];
    const changed = { ...change, before: noted, after: next };
    expect(decideFollowing(changed, single(current))).toEqual(followed(next));
    expect(decideFollowing(changed, single(category('cat_3', 1)))).toEqual([]);
  });

  it.each<[string, Partial<VoucherState['voucher']>]>([
    ['redeemed', { redemption: { quantity: 5, redeemed_quantity: 1 } }],
    ['published', { publish: { count: 1 } }],
  ])('that is %s keeps what it has', (_, fields) => {
    expect(decideFollowing(change, single(fields))).toEqual([]);
  });
});
