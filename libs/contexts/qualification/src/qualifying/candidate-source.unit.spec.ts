import type { CampaignsPort, HeldVoucher } from '@scrip/contracts/campaigns';
import type { PromotionsPort } from '@scrip/contracts/promotions';
import type { CandidateReads, FoundCandidate, Place } from '../candidates/candidates.reads';
import { call, promotionOf, tierOf, voucherOf } from '../redeemables.fixture';
import { CandidateSource, type SourceWanted } from './candidate-source';

const day = (date: number): string => `2026-01-${String(date).padStart(2, '0')}T00:00:00.000Z`;
const isBehind = (place: Place, after: Place | null): boolean =>
  after === null || `${place.created_at} ${place.id}` < `${after.created_at} ${after.id}`;

const tier = (date: number): FoundCandidate => ({
  ...{ id: `promo_${date}`, kind: 'promotion_tier', created_at: day(date) },
});
const code = (date: number): HeldVoucher => ({
  voucher: voucherOf(`C${date}`, { created_at: day(date) }),
  campaign: null,
  holder_role: 'OWNER',
});
const placeOf = ({ voucher }: HeldVoucher): Place => ({ created_at: voucher.created_at, id: voucher.id });

/** Owners whose answers hold `fits` objects each. */
const sourceOf = ({
  tiers,
  codes,
  gone = [],
  fits,
}: {
  tiers: readonly FoundCandidate[];
  codes: readonly HeldVoucher[];
  /** Days of codes that are deleted when they are loaded. */
  gone?: readonly number[];
  fits: number;
}) => {
  const reads: Pick<CandidateReads, 'find'> = {
    find: async (_, { after, limit }) => tiers.filter((one) => isBehind(one, after)).slice(0, limit),
  };
  const campaigns: Pick<CampaignsPort, 'listHeld'> = {
    listHeld: async (_, { after, limit }) => {
      const behind = codes.filter((one) => isBehind(placeOf(one), after));
      const page = behind.slice(0, Math.min(limit, fits));
      const isWhole = page.length === behind.length && page.length < limit;
      return {
        held: page.filter(({ voucher }) => !gone.includes(Number(voucher.code.slice(1)))),
        next: isWhole ? null : placeOf(page.at(-1)!),
      };
    },
  };
  const promotions: Pick<PromotionsPort, 'load'> = {
    load: async (_, { objects }) =>
      objects.slice(0, fits).map((id) => ({
        promotion_tier: tierOf(id, { created_at: day(Number(id.slice('promo_'.length))) }),
        campaign: promotionOf(),
      })),
  };
  return new CandidateSource(reads as never, campaigns as never, promotions as never);
};

const wanted: SourceWanted = {
  index: {
    ...{ space: 'QUALIFY', terms: ['*'], kinds: ['promotion_tier'], anyCollection: false },
    now: new Date(day(31)),
  },
  held: { customer_id: 'cust_1', among: 'ALL' },
  filters: {},
};

/** All pages of `limit` places. */
const walked = async (source: CandidateSource, limit: number): Promise<string[]> => {
  const loaded: string[] = [];
  let after: Place | null = null;
  for (let pages = 1; pages <= 50; pages += 1) {
    const page = await source.page(call(), wanted, { after, limit });
    loaded.push(...page.loaded.map(({ place }) => place.id));
    if (page.ended) return loaded;
    after = page.examined.at(-1)!;
  }
  throw new Error('the pages do not end');
};

describe('candidates of index and wallet', () => {
  const tiers = [9, 7, 6, 3, 1].map(tier);
  const codes = [10, 8, 5, 4, 2].map(code);
  const all = [
    'v_c10',
    'promo_9',
    'v_c8',
    'promo_7',
    'promo_6',
    'v_c5',
    'v_c4',
    'promo_3',
    'v_c2',
    'promo_1',
  ];

  test.each([
    [200, 200],
    [200, 3],
    [200, 1],
    [4, 200],
    [3, 2],
    [1, 1],
  ])('are one list, each once, by pages of %d where an answer holds %d', async (limit, fits) => {
    expect(await walked(sourceOf({ tiers, codes, fits }), limit)).toEqual(all);
  });

  it.each([[[10]], [[8, 5]], [[10, 8, 5, 4, 2]]])(
    'go on behind codes that are deleted meanwhile: %j',
    async (gone) => {
      const left = all.filter((id) => !gone.some((date) => id === `v_c${date}`));
      for (const limit of [1, 2, 200])
        expect(await walked(sourceOf({ tiers, codes, gone, fits: 2 }), limit)).toEqual(left);
    },
  );
});
