import type { Instant } from '@scrip/contracts/snapshot';
import type {
  BalanceResponse,
  CampaignResponse,
  GiftTransactionResponse,
  PublicationSubject,
  SimpleCampaign,
  SimpleVoucher,
  VoucherResponse,
} from '@scrip/wire/campaigns';
import type { CustomerResponse, SimpleCustomer } from '@scrip/wire/customers';
import type {
  PromotionStackResponse,
  PromotionTierResponse,
  SimplePromotionStack,
  SimplePromotionTier,
} from '@scrip/wire/promotions';
import type { simpleRedemption, ValidationRuleResponse } from '@scrip/wire/qualification';

/** `data` of `business_validation_rule.created`. */
export interface RuleCreatedPayload {
  rule: ValidationRuleResponse;
  created_at: Instant;
}

/** `data` of `business_validation_rule.updated`: the rule as the change left it. */
export interface RuleUpdatedPayload {
  rule: ValidationRuleResponse;
  updated_at: Instant;
}

/** `data` of `campaign.created`. */
export interface CampaignCreatedPayload {
  campaign: CampaignResponse;
  created_at: Instant;
}

/** `data` of `campaign.updated`, `campaign.enabled` and `campaign.disabled`: the campaign as the change left it. */
export interface CampaignPayload {
  campaign: CampaignResponse;
}

/** `data` of `campaign.deleted`. */
export interface CampaignDeletedPayload {
  campaign: CampaignResponse;
  deleted_at: Instant;
}

/** `data` of `campaign.vouchers.generation.started`. */
export interface GenerationStartedPayload {
  campaign: SimpleCampaign;
  /** Codes that were ordered. */
  count: number;
  started_at: Instant;
}

/** `data` of `campaign.vouchers.generation.completed`. */
export interface GenerationCompletedPayload {
  campaign: SimpleCampaign;
  /** Codes that were made. */
  count: number;
  completed_at: Instant;
}

/** `data` of `campaign.vouchers.generation.failed`. */
export interface GenerationFailedPayload {
  campaign: SimpleCampaign;
  /** Codes that were made before. */
  count: number;
  failed_at: Instant;
  error: string;
}

/** `data` of `campaign.vouchers.added`. */
export interface VouchersAddedPayload {
  campaign: SimpleCampaign;
  /** Codes that were added. */
  count: number;
  added_at: Instant;
}

/** `data` of `voucher.created`, `.updated`, `.enabled`, `.disabled` and `.deleted`. */
export interface VoucherPayload {
  voucher: VoucherResponse;
  campaign: SimpleCampaign | null;
}

/** `data` of `publication.succeeded`. */
export interface PublicationPayload {
  customer: SimpleCustomer | null;
  campaign: SimpleCampaign | null;
  publication: PublicationSubject;
  /** The code; absent of a publication of several. */
  voucher?: SimpleVoucher;
  vouchers: SimpleVoucher[];
  /** The user whose session published; null where a key did. */
  user: { id: string } | null;
}

/** `data` of `voucher.published`. */
export interface VoucherPublishedPayload {
  customer: SimpleCustomer | null;
  campaign: SimpleCampaign | null;
  publication: PublicationSubject;
  voucher: SimpleVoucher;
  created_at: Instant;
}

/** `data` of `voucher.gift.balance_added`. */
export interface BalanceAddedPayload {
  voucher: SimpleVoucher;
  balance: BalanceResponse;
  campaign: SimpleCampaign | null;
  transaction: GiftTransactionResponse;
}

/** `data` of `voucher.gift.transaction.created`. */
export interface GiftTransactionPayload {
  transaction: GiftTransactionResponse;
  voucher: VoucherResponse;
  campaign: SimpleCampaign | null;
  holder: SimpleCustomer | null;
  balance: BalanceResponse;
  /** What the credits paid for; null where no order was redeemed, and for changes by hand. */
  order: SimpleOrder | null;
  redemption: SimpleRedemption | null;
  rollback: SimpleRedemption | null;
}

/** `data` of `campaign.promotion_tier.created`, `.updated`, `.enabled`, `.disabled` and `.deleted`. */
export interface PromotionTierPayload {
  campaign: SimpleCampaign;
  promotion_tier: PromotionTierResponse;
}

/** `data` of `campaign.promotion_stack.created` and `.updated`. */
export interface PromotionStackPayload {
  campaign: SimpleCampaign;
  promotion_stack: PromotionStackResponse;
}

/** `data` of `customer.created`, `customer.updated` and `customer.deleted`. */
export interface CustomerPayload {
  customer: CustomerResponse;
}

/** An order beside the subject of a webhook. */
export interface SimpleOrder {
  object: 'order';
  [field: string]: unknown;
}

/** A redemption or a rollback in webhooks; what it has not is absent. */
export type SimpleRedemption = ReturnType<typeof simpleRedemption>;

interface Related {
  customer: SimpleCustomer | null;
  order: SimpleOrder | null;
  campaign: SimpleCampaign | null;
  /** Null for the parent of a stack. */
  voucher: SimpleVoucher | null;
  holder: SimpleCustomer | null;
  /** Null for the parent of a stack. */
  promotion_tier: SimplePromotionTier | null;
  /** The stack that was asked for. */
  promotion_stack: SimplePromotionStack | null;
  redemption: SimpleRedemption;
}

/** `data` of `redemption.succeeded` and `redemption.failed`. */
export interface RedemptionPayload extends Related {
  created_at: Instant;
}

/** `data` of `redemption.rollback.succeeded` and `redemption.rollback.failed`. */
export interface RollbackPayload extends Related {
  redemption_rollback: SimpleRedemption;
}
