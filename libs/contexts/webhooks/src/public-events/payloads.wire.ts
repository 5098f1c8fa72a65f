import type { Instant } from '@scrip/contracts/snapshot';
import type { CampaignResponse, SimpleCampaign, SimpleVoucher, VoucherResponse } from '@scrip/wire/campaigns';
import type { CustomerResponse, SimpleCustomer } from '@scrip/wire/customers';
import type { simpleRedemption } from '@scrip/wire/qualification';

/** `data` of `campaign.created`. */
export interface CampaignCreatedPayload {
  campaign: CampaignResponse;
  created_at: Instant;
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

/** `data` of `voucher.created`. */
export interface VoucherCreatedPayload {
  voucher: VoucherResponse;
  campaign: SimpleCampaign | null;
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
  promotion_tier: null;
  promotion_stack: null;
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
