import type { CampaignSnapshot, VoucherTemplate } from '@scrip/contracts/campaigns';
import type { CategorySnapshot } from '@scrip/contracts/snapshot';
import { campaignSnapshot } from '../campaign/campaign.fixture';
import { voucherTemplateOf } from '../voucher/voucher-template';
import { type ImportedVoucher, mustTakeImports, ownFieldsOf } from './imported-voucher';

const definition: VoucherTemplate = {
  ...voucherTemplateOf(campaignSnapshot()),
  start_date: '2026-01-01T00:00:00.000Z',
  expiration_date: '2026-12-31T00:00:00.000Z',
  metadata: { season: 'spring' },
  redemption: { quantity: 5, redeemed_quantity: 0 },
};
const card: VoucherTemplate = {
  ...definition,
  type: 'GIFT_VOUCHER',
  gift: { amount: 5_000, subtracted_amount: 0, balance: 5_000, effect: 'APPLY_TO_ORDER' },
};
const loyalty: VoucherTemplate = { ...definition, loyalty_card: { points: 0, balance: 0 } };
const category: CategorySnapshot = {
  id: 'cat_1',
  name: 'Shop',
  hierarchy: 1,
  object: 'category',
  created_at: '2026-01-01T00:00:00.000Z',
};

const own = (sent: Partial<ImportedVoucher>, from = definition, of?: CategorySnapshot | null) =>
  ownFieldsOf(from, { code: 'A', ...sent }, of);

describe('what an imported voucher has otherwise than its campaign (reference 04 §4.7)', () => {
  test.each<[string, Partial<ImportedVoucher>, object]>([
    ['nothing', {}, {}],
    ['nothing, where it says the same', { active: true, quantity: 5, additional_info: null }, {}],
    ['active', { active: false }, { active: false }],
    ['quantity', { quantity: null }, { redemption: { quantity: null, redeemed_quantity: 0 } }],
    ['redeemed quantity', { redeemed_quantity: 2 }, { redemption: { quantity: 5, redeemed_quantity: 2 } }],
    ['start', { start_date: null }, { start_date: null }],
    [
      'expiration',
      { expiration_date: '2026-06-01T00:00:00.000Z' },
      { expiration_date: '2026-06-01T00:00:00.000Z' },
    ],
    ['additional info', { additional_info: 'x' }, { additional_info: 'x' }],
    ['metadata, merged', { metadata: { shop: 1 } }, { metadata: { season: 'spring', shop: 1 } }],
    ['nothing of gift cards and points', { gift_amount: 1, points: 1 }, {}],
  ])('%s', (_, sent, expected) => {
    expect(own(sent)).toEqual(expected);
  });

  it('its category, or none', () => {
    expect(own({}, definition, category)).toEqual({
      category_id: 'cat_1',
      category: 'Shop',
      categories: [category],
    });
    const filed = { ...definition, category_id: 'cat_1', category: 'Shop', categories: [category] };
    expect(own({}, filed, null)).toEqual({ category_id: null, category: null, categories: [] });
    expect(own({}, filed, undefined)).toEqual({});
  });

  test.each<[Partial<ImportedVoucher>, object]>([
    [{ gift_amount: 700 }, { amount: 700, balance: 700 }],
    [{ redeemed_amount: 2_000 }, { amount: 5_000, balance: 3_000 }],
    [
      { gift_amount: 700, redeemed_amount: 700 },
      { amount: 700, balance: 0 },
    ],
  ])('credits of a gift card: %j', (sent, gift) => {
    expect(own(sent, card)).toEqual({ gift: { ...card.gift, ...gift } });
  });

  it('points of a loyalty card', () => {
    expect(own({ points: 10 }, loyalty)).toEqual({ loyalty_card: { points: 10, balance: 10 } });
  });

  test.each<[string, Partial<ImportedVoucher>, VoucherTemplate, string]>([
    [
      'an end before the inherited start',
      { expiration_date: '2025-12-31T00:00:00.000Z' },
      definition,
      'Property .expiration_date must not be before .start_date (2026-01-01T00:00:00.000Z)',
    ],
    [
      'no start where a window counts from it',
      { start_date: null },
      { ...definition, validity_timeframe: { interval: 'P1D', duration: 'PT1H' } },
      'Property .validity_timeframe requires .start_date',
    ],
    [
      'more uses than the limit',
      { redeemed_quantity: 6 },
      definition,
      'Property .redemption.redeemed_quantity must not be above .redemption.quantity (5)',
    ],
    [
      'more credits than there are',
      { redeemed_amount: 5_001 },
      card,
      'Property .redemption.redeemed_amount must not be above .gift.amount (5000)',
    ],
    [
      'credits of what is no gift card',
      { redeemed_amount: 1 },
      definition,
      'Property .redemption.redeemed_amount is only allowed for gift cards',
    ],
  ])('refuses %s', (_, sent, from, details) => {
    expect(own(sent, from)).toMatchObject({ refused: 'invalid_payload', details });
  });
});

describe('a campaign takes imports', () => {
  test.each<[Partial<CampaignSnapshot>, string | null]>([
    [{ type: 'STATIC' }, null],
    [{ type: 'AUTO_UPDATE' }, null],
    [{ type: 'STANDALONE' }, 'You can not import vouchers to STANDALONE type campaign.'],
    [
      { campaign_type: 'PROMOTION', voucher: null },
      'You can not import vouchers to PROMOTION type campaign.',
    ],
  ])('%j', (fields, details) => {
    const refusal = mustTakeImports(campaignSnapshot(fields));
    expect(refusal?.details ?? null).toBe(details);
  });
});
