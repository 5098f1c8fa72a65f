import { campaignSnapshot } from '../campaign/campaign.fixture';
import { sentVoucherMustStay } from './sent-voucher';

const campaign = campaignSnapshot({ expiration_date: '2030-01-01T00:00:00.000Z' });
type Sent = Parameters<typeof sentVoucherMustStay>[1];
const { discount } = campaign.voucher!;

describe('the voucher in a change of a campaign', () => {
  it.each<[string, Sent]>([
    ['is absent', undefined],
    ['is null', null],
    ['is what answers show', { ...campaign.voucher, expiration_date: campaign.expiration_date }],
    ['says a part of it', { discount, gift: null }],
    ['names code settings, which never change', { code_config: { length: 3 } }],
  ])('that %s is taken', (_, sent) => {
    expect(sentVoucherMustStay(campaign, sent)).toBeNull();
  });

  it.each<[string, Sent, string]>([
    [
      'another discount',
      { discount: { ...discount, percent_off: 99 } },
      "Property .voucher.discount cannot be changed there: send 'discount' at the top level of the body",
    ],
    [
      'another limit of uses',
      { redemption: { quantity: 77 } },
      "Property .voucher.redemption cannot be changed there: send 'default_voucher_redemption' at the top level of the body",
    ],
    [
      'another date',
      { expiration_date: null },
      "Property .voucher.expiration_date cannot be changed there: send 'expiration_date' at the top level of the body",
    ],
  ])('with %s is refused', (_, sent, details) => {
    expect(sentVoucherMustStay(campaign, sent)).toEqual({ refused: 'invalid_payload', details });
  });

  it('of a campaign without vouchers is ignored', () => {
    const promotion = campaignSnapshot({ campaign_type: 'PROMOTION', voucher: null });
    expect(sentVoucherMustStay(promotion, { discount })).toBeNull();
  });
});
