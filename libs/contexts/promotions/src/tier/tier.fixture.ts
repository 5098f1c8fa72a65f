import type { PromotionTierSnapshot } from '@scrip/contracts/promotions';

/** A tier of `camp_1`, with 10 % off. */
export const tierWith = (fields: Partial<PromotionTierSnapshot> = {}): PromotionTierSnapshot => ({
  id: 'promo_1',
  campaign_id: 'camp_1',
  name: 'Ten percent',
  banner: null,
  discount: { type: 'PERCENT', percent_off: 10 },
  metadata: { colour: 'red' },
  hierarchy: 1,
  active: true,
  start_date: null,
  expiration_date: null,
  validity_timeframe: null,
  validity_day_of_week: null,
  validity_hours: null,
  category_id: null,
  category: null,
  categories: [],
  created_at: '2026-03-31T10:00:00.000Z',
  updated_at: null,
  ...fields,
});
