import type { GiftCreditsAdjusted, GiftTransaction, VoucherAnswer } from '@scrip/contracts/campaigns';
import type {
  RedemptionRolledBack,
  RedemptionSnapshot,
  RedemptionSucceeded,
} from '@scrip/contracts/qualification';
import {
  renderBalance,
  renderGiftTransaction,
  renderVoucher,
  simpleCampaign,
  simpleVoucher,
} from '@scrip/wire/campaigns';
import { simpleCustomer, simpleOrder } from '@scrip/wire/customers';
import { shownTrackingId, simpleRedemption } from '@scrip/wire/qualification';
import { type Relations, rendererOf } from '../renderer';

type Moved = Pick<GiftCreditsAdjusted['data'], 'voucher' | 'campaign'>;

/** What all transactions show; what has to do with a redemption is null where none moved the credits. */
const moved = (
  transaction: GiftTransaction,
  { voucher, campaign }: Moved,
  { customer, assets }: Relations,
) => {
  const holder = customer(voucher.holder_id);
  return {
    transaction: renderGiftTransaction(transaction),
    voucher: renderVoucher(voucher, assets(voucher.code)),
    campaign: campaign ? simpleCampaign(campaign) : null,
    holder: holder ? simpleCustomer(holder) : null,
    balance: renderBalance(transaction),
    order: null,
    redemption: null,
    rollback: null,
  };
};

/** The transaction of a redemption of one gift card; the parent of a stack has those of its children. */
const spentBy = ({ redemption, claims }: RedemptionSucceeded['data']): GiftTransaction | null => {
  if (redemption.stacked) return null;
  const claim = claims.redeemables?.find(({ participant }) => participant === 'campaigns');
  return (claim?.answer as VoucherAnswer | undefined)?.transaction ?? null;
};

const shortOf = (redemption: RedemptionSnapshot, { customer, trackingId }: Relations) =>
  simpleRedemption(redemption, {
    customer: null,
    order: null,
    voucher: redemption.voucher && simpleVoucher(redemption.voucher),
    promotion_tier: null,
    tracking_id: shownTrackingId(redemption, customer(redemption.customer_id), trackingId),
  });

/** The holder, and the customer whose tracking id is shown. */
const customersOf = ({ voucher, customer_id }: Pick<RedemptionSnapshot, 'voucher' | 'customer_id'>) => [
  voucher?.holder_id ?? null,
  customer_id,
];

/** Kinds about the balances of gift cards. Source: reference 06 §3. */
export const giftRenderers = [
  rendererOf<GiftCreditsAdjusted>({
    kind: 'voucher.gift.balance_added',
    of: 'GiftCreditsAdjusted',
    render: ({ transaction, voucher, campaign }) =>
      transaction.type === 'CREDITS_ADDITION'
        ? {
            entityId: voucher.id,
            data: {
              voucher: simpleVoucher(voucher),
              balance: renderBalance(transaction),
              campaign: campaign ? simpleCampaign(campaign) : null,
              transaction: renderGiftTransaction(transaction),
            },
          }
        : null,
  }),
  rendererOf<GiftCreditsAdjusted>({
    kind: 'voucher.gift.transaction.created',
    of: 'GiftCreditsAdjusted',
    customers: ({ voucher }) => [voucher.holder_id],
    render: ({ transaction, ...data }, relations) => ({
      entityId: data.voucher.id,
      data: moved(transaction, data, relations),
    }),
  }),
  rendererOf<RedemptionSucceeded>({
    kind: 'voucher.gift.transaction.created',
    of: 'RedemptionSucceeded',
    customers: ({ redemption }) => customersOf(redemption),
    render: (data, relations) => {
      const transaction = spentBy(data);
      const { redemption, campaign } = data;
      const { voucher, order } = redemption;
      if (!transaction || !voucher) return null;
      return {
        entityId: voucher.id,
        data: {
          ...moved(transaction, { voucher, campaign }, relations),
          order: order && simpleOrder(order),
          redemption: shortOf(redemption, relations),
        },
      };
    },
  }),
  rendererOf<RedemptionRolledBack>({
    kind: 'voucher.gift.transaction.created',
    of: 'RedemptionRolledBack',
    customers: ({ redemption }) => customersOf(redemption),
    render: ({ redemption, rollback, campaign, transaction }, relations) => {
      const { voucher, order } = rollback;
      if (!transaction || !voucher) return null;
      return {
        entityId: voucher.id,
        data: {
          ...moved(transaction, { voucher, campaign }, relations),
          order: order && simpleOrder(order),
          redemption: shortOf({ ...redemption, order }, relations),
          rollback: shortOf(rollback, relations),
        },
      };
    },
  }),
];
