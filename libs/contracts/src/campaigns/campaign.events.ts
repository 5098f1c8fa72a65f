import type { Instant } from '../snapshot';
import type { CampaignSnapshot } from './campaign.snapshot';
import type { VoucherSnapshot } from './voucher.snapshot';

/** Stream `campaign` (service campaigns). Source: spec 06 §9.2. */
export type CampaignEvent =
  | CampaignCreated
  | VoucherGenerationStarted
  | VouchersGenerated
  | VoucherGenerationCompleted
  | VoucherGenerationFailed
  | CampaignVouchersAdded;

export interface CampaignCreated {
  type: 'CampaignCreated';
  data: { campaign: CampaignSnapshot };
}

/** `initial`: the job that a campaign's creation started. */
export interface VoucherGenerationStarted {
  type: 'VoucherGenerationStarted';
  data: {
    async_action_id: string;
    count: number;
    initial: boolean;
    started_at: Instant;
    campaign: CampaignSnapshot;
  };
}

/** One chunk of generated codes, all made from one immutable definition: ≤ 5,000 codes and ≤ 512 KiB. */
export interface VouchersGenerated {
  type: 'VouchersGenerated';
  data: {
    async_action_id: string;
    definition_id: string;
    vouchers: { id: string; code: string }[];
    generated_at: Instant;
  };
}

/** `count`: codes made by this job. `initial`: the job that a campaign's creation started. */
export interface VoucherGenerationCompleted {
  type: 'VoucherGenerationCompleted';
  data: {
    async_action_id: string;
    count: number;
    initial: boolean;
    completed_at: Instant;
    campaign: CampaignSnapshot;
  };
}

/** `count`: codes made before the job ended in `error`. */
export interface VoucherGenerationFailed {
  type: 'VoucherGenerationFailed';
  data: {
    async_action_id: string;
    count: number;
    error: string;
    initial: boolean;
    failed_at: Instant;
    campaign: CampaignSnapshot;
  };
}

/** Once per add or import call on an existing campaign, when its codes are stored. */
export interface CampaignVouchersAdded {
  type: 'CampaignVouchersAdded';
  data: { async_action_id: string | null; count: number; added_at: Instant; campaign: CampaignSnapshot };
}

/** Stream `voucher` (service campaigns). Source: spec 06 §9.2. */
export type VoucherEvent = VoucherCreated | VoucherQuantityConsumed | VoucherQuantityRestored;

/** A single voucher was created; generated codes have no such event. `code_key`: the code as it is compared, folded
 *  where the project does not distinguish cases; unique in the project. `addition`: added to a campaign that existed. */
export interface VoucherCreated {
  type: 'VoucherCreated';
  data: { voucher: VoucherSnapshot; code_key: string; campaign: CampaignSnapshot | null; addition: boolean };
}

/** A redemption took one use; provisional until its outcome is recorded. */
export interface VoucherQuantityConsumed {
  type: 'VoucherQuantityConsumed';
  data: { redemption_id: string; claim_id: string; redeemed_quantity: number };
}

/** The use came back: the claim was reverted or the redemption rolled back. */
export interface VoucherQuantityRestored {
  type: 'VoucherQuantityRestored';
  data: {
    redemption_id: string;
    claim_id: string;
    redeemed_quantity: number;
    cause: 'ABANDONED' | 'ROLLED_BACK';
  };
}
