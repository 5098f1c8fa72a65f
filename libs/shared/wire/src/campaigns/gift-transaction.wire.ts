import type { GiftTransaction } from '@scrip/contracts/campaigns';
import { renderBalance } from './balance.wire';

/** A movement of credits as lists and webhooks show it. Source: reference 04 §6.2. */
export const renderGiftTransaction = (transaction: GiftTransaction) => ({
  id: transaction.id,
  source_id: transaction.source_id,
  voucher_id: transaction.voucher_id,
  campaign_id: transaction.campaign_id,
  source: transaction.source,
  reason: transaction.reason,
  type: transaction.type,
  details: {
    balance: renderBalance(transaction),
    ...(transaction.order ? { order: transaction.order } : {}),
    ...(transaction.redemption_id === null ? {} : { redemption: { id: transaction.redemption_id } }),
    ...(transaction.rollback_id === null ? {} : { rollback: { id: transaction.rollback_id } }),
  },
  related_transaction_id: transaction.related_transaction_id,
  created_at: transaction.created_at,
});

/** What `renderGiftTransaction` makes. */
export type GiftTransactionResponse = ReturnType<typeof renderGiftTransaction>;
