import type { RedeemableVoucher } from '@scrip/contracts/campaigns';
import { redeemableStatus } from './redeemable-status';

const now = new Date('2026-03-15T12:00:00.000Z');
const voucher = {
  ...{ code: 'ONE', active: true, start_date: null, expiration_date: null, publish: { count: 1 } },
  ...{ validity_timeframe: null, validity_day_of_week: null, validity_hours: null },
  ...{ gift: null, loyalty_card: null, redemption: { quantity: 2, redeemed_quantity: 1 } },
};
const statusOf = (fields: object, campaign: object | null = null) =>
  redeemableStatus({ voucher: { ...voucher, ...fields }, campaign } as unknown as RedeemableVoucher, now);

describe('what a customer can do with a code', () => {
  it.each([
    ['ACTIVE', {}],
    ['ACTIVE', { validity_day_of_week: [1] }],
    ['ACTIVE', { gift: { balance: 1 } }],
    ['NO_BALANCE', { gift: { balance: 0 } }],
    ['NO_BALANCE', { loyalty_card: { balance: 0 } }],
    ['USED', { redemption: { quantity: 2, redeemed_quantity: 2 } }],
    ['USED', { redemption: { quantity: 1, redeemed_quantity: 1 }, gift: { balance: 0 } }],
    ['DISABLED', { active: false }],
    ['EXPIRED', { expiration_date: '2026-03-15T11:59:59.999Z' }],
    ['DISABLED', { expiration_date: '2026-03-15T11:59:59.999Z', active: false }],
    ['DISABLED', { start_date: '2026-03-15T12:00:00.001Z', active: false }],
    ['NOT_ACTIVE_YET', { start_date: '2026-03-15T12:00:00.001Z' }],
  ])('is %s with %j', (status, fields) => expect(statusOf(fields)).toBe(status));

  it('is what its campaign allows', () => {
    const campaign = {
      active: true,
      start_date: null,
      expiration_date: null,
      activity_duration_after_publishing: null,
    };
    expect(statusOf({}, campaign)).toBe('ACTIVE');
    expect(statusOf({}, { ...campaign, active: false })).toBe('DISABLED');
    expect(statusOf({}, { ...campaign, expiration_date: '2026-03-01T00:00:00.000Z' })).toBe('EXPIRED');
    const ahead = { ...campaign, start_date: '2026-04-01T00:00:00.000Z' };
    expect(statusOf({}, ahead)).toBe('NOT_ACTIVE_YET');
    expect(statusOf({ expiration_date: '2026-03-01T00:00:00.000Z' }, ahead)).toBe('EXPIRED');
    expect(statusOf({}, { ...ahead, active: false })).toBe('DISABLED');
  });
});
