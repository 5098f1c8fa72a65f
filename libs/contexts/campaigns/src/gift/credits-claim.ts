import type {
  GiftCreditsRedeemed,
  GiftCreditsRefunded,
  GiftTransaction,
  VoucherSnapshot,
} from '@scrip/contracts/campaigns';
import type { ClaimAsks, ClaimKey } from '@scrip/contracts/claims';
import type { Instant } from '@scrip/contracts/snapshot';
import { type Refusal, refuse } from '@scrip/kernel';
import { totalOf } from './gift-account';

/** What a claim on credits keeps. `refund`: since the claim was given back. */
export interface KeptCredits {
  transaction?: GiftTransaction;
  refund?: GiftTransaction;
}

/** When, and the id of the transaction if credits move. */
export interface Moment {
  now: Instant;
  transactionId: string;
}

/** Why the card cannot give these credits, as the validation says it; null where it can. `held`: credits that sessions of others hold.
 *  Source: reference 03 §4.3 (check 13). */
export const creditsSuffice = (
  { code, gift }: Pick<VoucherSnapshot, 'code' | 'gift'>,
  credits: number,
  held = 0,
): Refusal<'gift_amount_exceeded'> | null =>
  gift && credits <= gift.balance - held ? null : refuse('gift_amount_exceeded', code);

/** Takes credits that suffice. Source: reference 04 §6.2. */
export const takeCredits = (
  voucher: VoucherSnapshot,
  { redemption_id, claim_id, asks }: ClaimKey & { asks: ClaimAsks },
  { now, transactionId }: Moment,
): GiftCreditsRedeemed => {
  const { credits = 0, spent_on } = asks;
  const gift = voucher.gift!;
  const transaction: GiftTransaction = {
    id: transactionId,
    type: 'CREDITS_REDEMPTION',
    voucher_id: voucher.id,
    campaign_id: voucher.campaign_id,
    source_id: null,
    source: null,
    reason: null,
    amount: -credits,
    total: totalOf(gift),
    balance: gift.balance - credits,
    order: spent_on?.order ?? null,
    redemption_id: spent_on?.redemption_id ?? redemption_id,
    rollback_id: null,
    related_transaction_id: null,
    created_at: now,
  };
  return { type: 'GiftCreditsRedeemed', data: { redemption_id, claim_id, transaction } };
};

/** Gives back the credits of a claim. An abandoned redemption never was a transaction: its end is none either. */
export const giveCreditsBack = (
  { gift }: VoucherSnapshot,
  taken: GiftTransaction,
  { redemption_id, claim_id, rollback_id = null }: ClaimKey & { rollback_id?: string | null },
  { cause, now, transactionId }: Moment & { cause: 'ABANDONED' | 'ROLLED_BACK' },
): GiftCreditsRefunded => {
  const balance = gift!.balance - taken.amount;
  const transaction: GiftTransaction = {
    ...taken,
    id: transactionId,
    type: 'CREDITS_REFUND',
    amount: -taken.amount,
    total: totalOf(gift!),
    balance,
    rollback_id,
    related_transaction_id: taken.id,
    created_at: now,
  };
  return {
    type: 'GiftCreditsRefunded',
    data: {
      redemption_id,
      claim_id,
      cause,
      balance,
      transaction: cause === 'ROLLED_BACK' ? transaction : null,
    },
  };
};
