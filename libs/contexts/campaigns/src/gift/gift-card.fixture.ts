import type { CampaignSnapshot, VoucherCreated, VoucherSnapshot } from '@scrip/contracts/campaigns';
import type { EventStore } from '@scrip/event-store';
import { newId } from '@scrip/kernel';
import { caller } from '../campaigns.fixture';
import { newGift } from '../campaign/kinds/gift-vouchers';
import { campaignSnapshot } from '../campaign/campaign.fixture';
import { voucherTemplateOf } from '../voucher/voucher-template';
import { voucherAggregate } from '../voucher/voucher.aggregate';
import { voucherOf } from '../voucher/voucher.decider';

/** A campaign of gift cards with so many credits each; further fields as given. */
export const giftCampaign = (balance: number, fields: Partial<CampaignSnapshot> = {}): CampaignSnapshot => {
  const snapshot = campaignSnapshot({ campaign_type: 'GIFT_VOUCHERS', ...fields });
  const voucher = { ...snapshot.voucher!, redemption: { quantity: null } };
  return {
    ...snapshot,
    voucher: {
      ...voucher,
      type: 'GIFT_VOUCHER',
      discount: null,
      gift: newGift({ amount: balance, effect: 'APPLY_TO_ORDER' }),
    },
  };
};

/** The creation of a gift card; further fields as given. */
export const giftCardCreated = (balance: number, fields: Partial<VoucherSnapshot> = {}): VoucherCreated => {
  const campaign = giftCampaign(balance);
  const own = { id: 'v_1', code: 'GIFT', created_at: '2026-02-01T10:00:00.000Z', ...fields };
  const voucher = { ...voucherOf(voucherTemplateOf(campaign), own), ...fields };
  return {
    type: 'VoucherCreated',
    data: { voucher, code_key: voucher.code, campaign, addition: false },
  };
};

/** Stores a standalone gift card; returns its id, which is its code too. */
export const storeGiftCard = async (
  events: EventStore,
  balance: number,
  fields: Partial<VoucherSnapshot> = {},
): Promise<string> => {
  const id = newId('v_');
  const created = giftCardCreated(balance, { id, code: id, campaign_id: null, campaign: null, ...fields });
  const stored = { ...created, data: { ...created.data, campaign: null } };
  await events.aggregate(voucherAggregate).createMany(null, caller(), [{ streamId: id, events: [stored] }]);
  return id;
};
