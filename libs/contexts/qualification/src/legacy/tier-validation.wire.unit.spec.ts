import type { PromotionTierSnapshot } from '@scrip/contracts/promotions';
import { notFound, refuse } from '@scrip/kernel';
import { type CalculatedOrder, defaultStackingSettings } from '@scrip/order-calculation';
import type { RedeemableKind } from '../participants/redeemable-kind';
import { tierKind } from '../participants/tier-kind';
import { percent, promotionOf, tierOf } from '../redeemables.fixture';
import { describedOf, type EvaluatedRedeemable } from '../evaluation/evaluate';
import { renderTierValidation } from './tier-validation.wire';

const scope = { data: [], total: 0, data_ref: 'data' as const, object: 'list' as const };
const discount = percent(10);

const evaluated = (
  calculated: object,
  tier: Partial<PromotionTierSnapshot> | null = {},
): EvaluatedRedeemable => {
  const requested = { object: 'promotion_tier' as const, id: 'promo_1' };
  const found = tier
    ? { promotion_tier: tierOf('promo_1', tier), campaign: promotionOf({ start_date: '2026-01-01' }) }
    : notFound('promotion_tier', 'promo_1');
  const candidate = { requested, kind: tierKind as RedeemableKind, found };
  return {
    ...{ object: 'promotion_tier', id: 'promo_1', candidate, described: describedOf(candidate) },
    calculated: calculated as EvaluatedRedeemable['calculated'],
  };
};

const applicable = (order: Partial<CalculatedOrder> | null) => ({
  ...{ status: 'APPLICABLE', order, applicable_to: scope, inapplicable_to: scope },
  result: { discount: { ...discount, is_dynamic: false } },
});

const shown = {
  requestId: 'v-1',
  trackingId: 'track_1',
  show: (order: CalculatedOrder) => ({
    ...order,
    ...{ customer_id: null, referrer_id: null, metadata: {} },
  }),
  categoriesUnder: null,
};

const brief = {
  ...{ id: 'promo_1', name: 'Tier promo_1', hierarchy: 1, metadata: {}, category_id: null },
  campaign: { id: 'camp_promo', start_date: '2026-01-01', active: true, object: 'campaign' },
  object: 'promotion_tier',
};

it('a tier that applies shows what it takes off, and the discount as it was calculated', () => {
  const order = { amount: 1_000, total_discount_amount: 300, total_applied_discount_amount: 100, items: [] };
  expect(renderTierValidation(evaluated(applicable(order)), shown)).toEqual({
    ...brief,
    valid: true,
    discount: { ...discount, is_dynamic: false },
    ...{ discount_amount: 300, applied_discount_amount: 100, order: expect.objectContaining(order) },
    ...{ applicable_to: scope, inapplicable_to: scope, tracking_id: 'track_1' },
  });
});

it('a tier without effect takes off nothing, and without an order says nothing of amounts', () => {
  const order = { amount: 0, items: [] };
  expect(renderTierValidation(evaluated(applicable(order)), shown)).toMatchObject({
    ...{ discount_amount: 0, applied_discount_amount: 0 },
  });
  const answer = renderTierValidation(evaluated(applicable(null)), { ...shown, trackingId: null });
  for (const name of ['order', 'discount_amount', 'applied_discount_amount', 'tracking_id'])
    expect(answer).not.toHaveProperty(name);
});

it('banner, dates and categories are shown where they are', () => {
  const fields = { banner: 'Look', start_date: '2026-02-01', expiration_date: '2026-03-01' };
  const answer = renderTierValidation(evaluated(applicable(null), fields), {
    ...shown,
    categoriesUnder: defaultStackingSettings,
  });
  expect(answer).toMatchObject({ ...fields, categories: [] });
});

it('a tier that does not apply shows itself with its stored discount, and why', () => {
  const refusal = refuse('promotion_inactive', 'Promotion Tier with id: promo_1 is disabled.');
  expect(renderTierValidation(evaluated({ status: 'INAPPLICABLE', refusal }), shown)).toEqual({
    ...{ ...brief, valid: false, discount, reason: 'Inactive Promotion', tracking_id: 'track_1' },
    error: {
      ...{ code: 400, key: 'promotion_inactive', message: 'Inactive Promotion' },
      ...{ details: 'Promotion Tier with id: promo_1 is disabled.', request_id: 'v-1' },
    },
  });
});

it('of a tier that nobody has, only the id is told', () => {
  const refusal = notFound('promotion_tier', 'promo_1');
  expect(renderTierValidation(evaluated({ status: 'INAPPLICABLE', refusal }, null), shown)).toEqual({
    ...{ valid: false, id: 'promo_1', reason: 'promotion tier not found', tracking_id: 'track_1' },
    error: {
      ...{ code: 404, key: 'not_found', message: 'Resource not found', request_id: 'v-1' },
      details: 'Cannot find promotion_tier with id promo_1',
      ...{ resource_id: 'promo_1', resource_type: 'promotion_tier' },
    },
  });
});
