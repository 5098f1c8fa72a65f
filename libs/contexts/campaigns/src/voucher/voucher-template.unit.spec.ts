import { campaignSnapshot } from '../campaign/campaign.fixture';
import { voucherTemplateOf } from './voucher-template';

const category = {
  id: 'cat_1',
  name: 'Shop',
  hierarchy: 1,
  object: 'category' as const,
  created_at: '2026-02-01T10:00:00.000Z',
};
const campaign = campaignSnapshot({
  expiration_date: '2026-12-31T00:00:00.000Z',
  category_id: category.id,
  category: category.name,
  categories: [category],
});

describe('voucherTemplateOf', () => {
  it('inherits what is absent', () => {
    expect(voucherTemplateOf(campaign, { quantity: undefined })).toMatchObject({
      redemption: { quantity: 5 },
      start_date: '2026-03-01T00:00:00.000Z',
      expiration_date: '2026-12-31T00:00:00.000Z',
      category: 'Shop',
    });
  });

  it('takes away what is null', () => {
    const nothing = {
      quantity: null,
      start_date: null,
      expiration_date: null,
      category: null,
      additional_info: null,
    };
    expect(voucherTemplateOf(campaign, nothing)).toMatchObject({
      redemption: { quantity: null },
      start_date: null,
      expiration_date: null,
      category: null,
      category_id: null,
      categories: [],
      additional_info: null,
    });
  });
});
