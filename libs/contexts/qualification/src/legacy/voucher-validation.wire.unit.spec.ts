import type { VoucherSnapshot } from '@scrip/contracts/campaigns';
import { refuse } from '@scrip/kernel';
import { type CalculatedOrder, defaultStackingSettings } from '@scrip/order-calculation';
import type { RedeemableKind } from '../participants/redeemable-kind';
import { voucherKind } from '../participants/voucher-kind';
import { amount, redeemable } from '../redeemables.fixture';
import { describedOf, type EvaluatedRedeemable } from '../evaluation/evaluate';
import { insufficientContext } from './single-refusal';
import { renderVoucherValidation } from './voucher-validation.wire';

const scope = { data: [], total: 0, data_ref: 'data' as const, object: 'list' as const };

const applicable = (result: object): EvaluatedRedeemable['calculated'] => ({
  ...{ object: 'voucher', id: 'OFF', status: 'APPLICABLE', order: null, difference: null },
  ...{ applicable_to: scope, inapplicable_to: scope, result },
});

const refused = (refusal: ReturnType<typeof refuse>): EvaluatedRedeemable['calculated'] => ({
  ...{ object: 'voucher', id: 'OFF', status: 'INAPPLICABLE' },
  refusal: refusal as never,
});

const evaluated = (
  calculated: EvaluatedRedeemable['calculated'],
  voucher: Partial<VoucherSnapshot> | null = {},
): EvaluatedRedeemable => {
  const requested = { object: 'voucher' as const, id: 'OFF' };
  const found = voucher ? redeemable('OFF', voucher) : refuse('not_found', 'OFF');
  const candidate = { requested, kind: voucherKind as RedeemableKind, found };
  return { object: 'voucher', id: 'OFF', candidate, described: describedOf(candidate), calculated };
};

const shown = {
  requestId: 'v-1',
  trackingId: 'track_1',
  session: null,
  show: (order: CalculatedOrder) => ({ ...order, ...{ customer_id: null, referrer_id: null, metadata: {} } }),
  categoriesUnder: null,
};

describe('a voucher that applies', () => {
  it('shows its discount as it was calculated, and leaves out what is not there', () => {
    const discount = amount(100, { is_dynamic: true });
    expect(renderVoucherValidation(evaluated(applicable({ discount })), shown)).toEqual({
      ...{ valid: true, code: 'OFF', discount, applicable_to: scope, inapplicable_to: scope },
      ...{ campaign: null, campaign_id: null, metadata: {}, tracking_id: 'track_1' },
    });
  });

  it('shows a gift card as it is, whatever is taken of it', () => {
    const gift = { amount: 900, subtracted_amount: 0, balance: 700, effect: 'APPLY_TO_ORDER' as const };
    const card = { type: 'GIFT_VOUCHER' as const, discount: null, gift };
    const answer = renderVoucherValidation(
      evaluated(applicable({ gift: { balance: 700, credits: 20 } }), card),
      shown,
    );
    expect(answer).toMatchObject({ valid: true, gift });
    expect(answer).not.toHaveProperty('discount');
  });

  it('shows the session that it holds', () => {
    const session = { key: 'cart-1', type: 'LOCK', ttl: 7, ttl_unit: 'DAYS' } as const;
    expect(renderVoucherValidation(evaluated(applicable({})), { ...shown, session })).toMatchObject({
      session,
    });
  });

  it('shows dates, and categories where they are asked for, and browsers no tracking id', () => {
    const dates = { start_date: '2026-01-01T00:00:00.000Z', expiration_date: '2026-12-31T00:00:00.000Z' };
    const answer = renderVoucherValidation(evaluated(applicable({}), dates), {
      ...shown,
      ...{ trackingId: null, categoriesUnder: defaultStackingSettings },
    });
    expect(answer).toMatchObject({ ...dates, categories: [] });
    expect(answer).not.toHaveProperty('tracking_id');
  });
});

describe('a voucher that does not apply', () => {
  it('says the generic reason, and the text of the rule in the error', () => {
    const refusal = {
      ...refuse('order_rules_violated', 'val_1', { customMessage: 'Only for large carts' }),
      violations: ['kept for explanations'],
    };
    expect(renderVoucherValidation(evaluated(refused(refusal), { metadata: { a: 1 } }), shown)).toEqual({
      ...{ valid: false, code: 'OFF', reason: 'order does not match validation rules' },
      error: {
        ...{ code: 400, key: 'order_rules_violated', message: 'Only for large carts', details: 'val_1' },
        request_id: 'v-1',
      },
      ...{ metadata: { a: 1 }, tracking_id: 'track_1' },
    });
  });

  it('says of an unknown code that there is no such voucher', () => {
    const details = 'Cannot find voucher with id OFF';
    const resource = { resourceId: 'OFF', resourceType: 'voucher' };
    expect(
      renderVoucherValidation(evaluated(refused(refuse('not_found', details, resource)), null), shown),
    ).toEqual({
      ...{ valid: false, code: 'OFF', reason: 'voucher not found', metadata: {}, tracking_id: 'track_1' },
      error: {
        ...{ code: 404, key: 'not_found', message: 'Resource not found', details, request_id: 'v-1' },
        ...{ resource_id: 'OFF', resource_type: 'voucher' },
      },
    });
  });

  it('says that the project passes over what has no effect', () => {
    const skipped = { object: 'voucher', id: 'OFF', status: 'SKIPPED', reason: 'no_effect' } as const;
    const message = 'Redeemable cannot be applied due to no effect';
    expect(renderVoucherValidation(evaluated(skipped), shown)).toMatchObject({
      ...{ valid: false, reason: message },
      error: { code: 400, key: 'no_effect', message, details: 'OFF' },
    });
  });
});

it.each([
  ['missing_reward', true],
  ['missing_customer', true],
  ['missing_order', true],
  ['missing_amount', true],
  ['missing_order_items', true],
  ['missing_order_items_amount', true],
  ['quantity_exceeded', false],
  ['gift_amount_exceeded', false],
  ['not_found', false],
])('%s says that the request lacks something: %p', (key, isLacking) => {
  const refusal = refuse(key, 'why');
  expect(insufficientContext(evaluated(refused(refusal)))).toBe(isLacking ? refusal : null);
});

it('what applies lacks nothing', () => {
  expect(insufficientContext(evaluated(applicable({})))).toBeNull();
});
