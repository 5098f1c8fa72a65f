import type { Instant } from '../snapshot';
import type { CampaignSnapshot } from './campaign.snapshot';
import type { VoucherSnapshot } from './voucher.snapshot';

/** Campaigns and the making of their codes: one stream per campaign. Source: reference 06 §9.2. */
export type CampaignEvent =
  | CampaignCreated
  | VoucherGenerationStarted
  | VouchersGenerated
  | VoucherGenerationCompleted
  | VoucherGenerationFailed
  | CampaignVouchersAdded;

/** A campaign was created. Codes that were ordered with it follow as a job of their own. */
export interface CampaignCreated {
  type: 'CampaignCreated';
  data: { campaign: CampaignSnapshot };
}

/** A job began to make codes. */
export interface VoucherGenerationStarted {
  type: 'VoucherGenerationStarted';
  data: {
    /** The background task. */
    async_action_id: string;
    /** Codes ordered. */
    count: number;
    /** Whether the campaign's creation ordered them, and not a later call. */
    initial: boolean;
    started_at: Instant;
    campaign: CampaignSnapshot;
  };
}

/** One chunk of generated codes, all made from one immutable definition: at most 5,000 codes and 512 KiB. These
 *  vouchers have no VoucherCreated. */
export interface VouchersGenerated {
  type: 'VouchersGenerated';
  data: {
    /** The background task. */
    async_action_id: string;
    /** What the vouchers have in common, as the task's `work` tells it. */
    definition_id: string;
    vouchers: {
      /** The voucher's id, `v_…`: the stream of its later events. */
      id: string;
      code: string;
    }[];
    generated_at: Instant;
  };
}

/** A job made all its codes. */
export interface VoucherGenerationCompleted {
  type: 'VoucherGenerationCompleted';
  data: {
    /** The background task. */
    async_action_id: string;
    /** Codes made by this job. */
    count: number;
    /** Whether the campaign's creation ordered them, and not a later call. */
    initial: boolean;
    completed_at: Instant;
    campaign: CampaignSnapshot;
  };
}

/** A job ended before it had made all its codes. Those it made stay. */
export interface VoucherGenerationFailed {
  type: 'VoucherGenerationFailed';
  data: {
    /** The background task. */
    async_action_id: string;
    /** Codes made before the job ended. */
    count: number;
    /** Why it ended, for people. */
    error: string;
    /** Whether the campaign's creation ordered them, and not a later call. */
    initial: boolean;
    failed_at: Instant;
    campaign: CampaignSnapshot;
  };
}

/** The codes of one add or import call on an existing campaign are stored; once per call. */
export interface CampaignVouchersAdded {
  type: 'CampaignVouchersAdded';
  data: {
    /** The background task; null when the call itself stored the code. */
    async_action_id: string | null;
    /** Codes added. */
    count: number;
    added_at: Instant;
    campaign: CampaignSnapshot;
  };
}

/** Vouchers and their uses: one stream per voucher. Generated vouchers begin theirs with their first use; their codes are
 *  in the campaign's VouchersGenerated. Source: reference 06 §9.2. */
export type VoucherEvent = VoucherCreated | VoucherQuantityConsumed | VoucherQuantityRestored;

/** A single voucher was created; generated codes have no such event. */
export interface VoucherCreated {
  type: 'VoucherCreated';
  data: {
    voucher: VoucherSnapshot;
    /** The code as it is compared, folded where the project does not distinguish cases; unique in the project. */
    code_key: string;
    /** Null for a voucher without a campaign. */
    campaign: CampaignSnapshot | null;
    /** Whether it was added to a campaign that existed. */
    addition: boolean;
  };
}

/** A redemption took one use. Provisional: what counts in the end is the redemption's own event, and a use whose
 *  redemption does not come about is given back by VoucherQuantityRestored. */
export interface VoucherQuantityConsumed {
  type: 'VoucherQuantityConsumed';
  data: {
    /** The redemption, or the parent of its stack. */
    redemption_id: string;
    /** This one use, which VoucherQuantityRestored names again. */
    claim_id: string;
    /** Uses taken so far, this one included. */
    redeemed_quantity: number;
    /** Business time, the voucher's `updated_at` from then on. Since schema version 2; null in older events, which
     *  did not change it. */
    consumed_at: Instant | null;
  };
}

/** A use came back. */
export interface VoucherQuantityRestored {
  type: 'VoucherQuantityRestored';
  data: {
    /** The redemption, or the parent of its stack. */
    redemption_id: string;
    /** The use that came back. */
    claim_id: string;
    /** Uses that are left taken. */
    redeemed_quantity: number;
    /** ABANDONED: the redemption never came about. ROLLED_BACK: it was undone. */
    cause: 'ABANDONED' | 'ROLLED_BACK';
    /** Business time, the voucher's `updated_at` from then on. Since schema version 2; null in older events, which
     *  did not change it. */
    restored_at: Instant | null;
  };
}
