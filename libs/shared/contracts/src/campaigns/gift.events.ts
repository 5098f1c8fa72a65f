import type { Instant } from '../snapshot';
import type { CampaignSnapshot } from './campaign.snapshot';
import type { VoucherSnapshot } from './voucher.snapshot';

/** What moved the credits of a gift card. Source: reference 04 §6.2. */
export type GiftTransactionType =
  'CREDITS_ADDITION' | 'CREDITS_REMOVAL' | 'CREDITS_REDEMPTION' | 'CREDITS_REFUND';

/** One movement of credits, and the account right after it. Amounts: minor units. Source: reference 04 §6.2. */
export interface GiftTransaction {
  /** Prefix `vtx_`. */
  id: string;
  type: GiftTransactionType;
  voucher_id: string;
  campaign_id: string | null;
  /** What the caller of a balance call named it; null for redemptions and refunds. */
  source_id: string | null;
  /** The channel of a balance call; null for redemptions and refunds. */
  source: string | null;
  /** Why the balance was changed by hand; null for redemptions and refunds. */
  reason: string | null;
  /** Signed: what the balance changed by. */
  amount: number;
  /** Everything ever added without what was taken away by hand. */
  total: number;
  /** What can be spent. */
  balance: number;
  /** What was paid for; null without an order. */
  order: { id: string; source_id: string | null } | null;
  /** The redemption that spent the credits, of a stack the card's own one. */
  redemption_id: string | null;
  /** The rollback that gave them back. */
  rollback_id: string | null;
  /** Of a refund: the transaction that spent the credits. */
  related_transaction_id: string | null;
  created_at: Instant;
}

/** Credits were added or taken away by hand. */
export interface GiftCreditsAdjusted {
  type: 'GiftCreditsAdjusted';
  data: {
    /** CREDITS_ADDITION or CREDITS_REMOVAL. */
    transaction: GiftTransaction;
    voucher: VoucherSnapshot;
    /** Null for a voucher without a campaign. */
    campaign: CampaignSnapshot | null;
  };
}

/** A redemption took credits. Provisional, as VoucherQuantityConsumed is: credits whose redemption does not come about
 *  are given back by GiftCreditsRefunded. */
export interface GiftCreditsRedeemed {
  type: 'GiftCreditsRedeemed';
  data: {
    /** The redemption, or the parent of its stack. */
    redemption_id: string;
    /** The claim that took them, which GiftCreditsRefunded names again. */
    claim_id: string;
    /** CREDITS_REDEMPTION. */
    transaction: GiftTransaction;
  };
}

/** Credits that a redemption took came back. */
export interface GiftCreditsRefunded {
  type: 'GiftCreditsRefunded';
  data: {
    /** The redemption, or the parent of its stack. */
    redemption_id: string;
    /** The claim whose credits came back. */
    claim_id: string;
    /** ABANDONED: the redemption never came about. ROLLED_BACK: it was undone. */
    cause: 'ABANDONED' | 'ROLLED_BACK';
    /** What can be spent from then on. */
    balance: number;
    /** CREDITS_REFUND; null where the redemption was abandoned: what it took was no transaction. */
    transaction: GiftTransaction | null;
  };
}
