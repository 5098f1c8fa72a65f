import type { PromotionTierSnapshot } from '../promotions/promotion-tier.snapshot';
import type { Instant } from '../snapshot';
import type { CampaignSnapshot } from './campaign.snapshot';
import type { GiftCreditsAdjusted, GiftCreditsRedeemed, GiftCreditsRefunded } from './gift.events';
import type { VoucherHeld, VoucherHoldsEnded } from './hold.events';
import type { VoucherPublished } from './publication.events';
import type { VoucherSnapshot, VoucherTemplate } from './voucher.snapshot';

/** Campaigns and the making of their codes: one stream per campaign. Source: reference 06 §9.2. */
export type CampaignEvent =
  | CampaignCreated
  | CampaignUpdated
  | CampaignVouchersUpdated
  | CampaignEnabled
  | CampaignDisabled
  | VoucherGenerationStarted
  | VouchersGenerated
  | VouchersImported
  | VoucherGenerationCompleted
  | VoucherGenerationFailed
  | CampaignVouchersAdded
  | CampaignDeleted
  | CampaignPurged;

/** A campaign was created. Codes that were ordered with it follow as a job of their own. */
export interface CampaignCreated {
  type: 'CampaignCreated';
  data: {
    campaign: CampaignSnapshot;
    /** What a promotion campaign was created with: its tiers have streams of their own, which begin after this event. */
    tiers?: PromotionTierSnapshot[];
  };
}

/** A campaign was changed. Codes made by code orders follow at once unless they have been used; a background task writes the
 *  change to those added singly. */
export interface CampaignUpdated {
  type: 'CampaignUpdated';
  data: {
    updated_at: Instant;
    /** Names of the fields that changed. */
    changed: string[];
    /** The background task that brings its vouchers up to it; null for a campaign that has none. */
    async_action_id: string | null;
    campaign: CampaignSnapshot;
  };
}

/** The background task of a CampaignUpdated ended. */
export interface CampaignVouchersUpdated {
  type: 'CampaignVouchersUpdated';
  data: {
    async_action_id: string;
    /** Vouchers that the change reached. */
    count: number;
    /** Why the task gave up; null where it did not. */
    error: string | null;
    completed_at: Instant;
    campaign: CampaignSnapshot;
  };
}

/** A campaign was switched on. Its vouchers can be used again; none of them is changed. */
export interface CampaignEnabled {
  type: 'CampaignEnabled';
  data: { enabled_at: Instant; campaign: CampaignSnapshot };
}

/** A campaign was switched off. No use of its vouchers that begins later succeeds. */
export interface CampaignDisabled {
  type: 'CampaignDisabled';
  data: { disabled_at: Instant; campaign: CampaignSnapshot };
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

/** One chunk of codes that an import brought to its campaign, all made from one definition. These vouchers have no
 *  VoucherCreated; one that differs from its definition has a VoucherImported. */
export interface VouchersImported {
  type: 'VouchersImported';
  data: {
    /** The background task. */
    async_action_id: string;
    /** What the vouchers have in common: what they inherit from the campaign. */
    definition_id: string;
    vouchers: {
      /** The voucher's id, `v_…`: the stream of its later events. */
      id: string;
      code: string;
    }[];
    imported_at: Instant;
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

/** A campaign was deleted: into the bin, where its name and its codes stay taken, or for good. Its vouchers are deleted with it:
 *  each that has events of its own gets a VoucherDeleted, the others get no event. */
export interface CampaignDeleted {
  type: 'CampaignDeleted';
  data: {
    /** As it was. */
    campaign: CampaignSnapshot;
    /** For good: its name is free at once, its codes when the background task is done. */
    permanent: boolean;
    deleted_at: Instant;
  };
}

/** A campaign in the bin was deleted for good, with its vouchers, which get no events of it
 *  unless they have events of their own. */
export interface CampaignPurged {
  type: 'CampaignPurged';
  data: { name: string; purged_at: Instant };
}

/** Vouchers and their uses: one stream per voucher. Generated vouchers begin theirs with their first use; their codes are
 *  in the campaign's VouchersGenerated. Source: reference 06 §9.2. */
export type VoucherEvent =
  | VoucherCreated
  | VoucherImported
  | VoucherUpdated
  | VoucherFieldsChanged
  | VoucherEnabled
  | VoucherDisabled
  | VoucherPublished
  | VoucherQuantityConsumed
  | VoucherQuantityRestored
  | GiftCreditsAdjusted
  | GiftCreditsRedeemed
  | GiftCreditsRefunded
  | VoucherHeld
  | VoucherHoldsEnded
  | VoucherFollowedCampaign
  | VoucherDeleted
  | VoucherPurged;

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
    /** Whether webhooks tell of it; absent where they do. False for vouchers of an import that does not ask for webhooks. */
    notify?: boolean;
  };
}

/** An imported voucher differs from its definition, from its beginning on. */
export interface VoucherImported {
  type: 'VoucherImported';
  data: {
    /** The background task. */
    async_action_id: string;
    /** The fields that differ, with their values. */
    own: Partial<VoucherTemplate>;
    imported_at: Instant;
  };
}

/** A voucher was changed. */
export interface VoucherUpdated {
  type: 'VoucherUpdated';
  data: {
    /** As it is after the change. */
    voucher: VoucherSnapshot;
    /** Null for a voucher without a campaign, and for one of many. */
    campaign: CampaignSnapshot | null;
    /** Whether it was one of many in one call. Others of many, of which no webhook tells, have VoucherFieldsChanged. */
    bulk: boolean;
    /** Whether webhooks tell of it. */
    notify: boolean;
  };
}

/** A voucher was changed as one of many, and no webhook tells of it. It holds what changed only: many such events are read and
 *  written at once. */
export interface VoucherFieldsChanged {
  type: 'VoucherFieldsChanged';
  data: {
    /** What the voucher says from then on. */
    fields: Partial<Omit<VoucherSnapshot, 'id' | 'code' | 'created_at'>>;
    /** Business time. */
    updated_at: Instant;
  };
}

/** A voucher that was disabled can be used again. */
export interface VoucherEnabled {
  type: 'VoucherEnabled';
  data: {
    /** As it is after the change. */
    voucher: VoucherSnapshot;
    /** Null for a voucher without a campaign. */
    campaign: CampaignSnapshot | null;
  };
}

/** A voucher cannot be used until it is enabled. */
export interface VoucherDisabled {
  type: 'VoucherDisabled';
  data: {
    /** As it is after the change. */
    voucher: VoucherSnapshot;
    /** Null for a voucher without a campaign. */
    campaign: CampaignSnapshot | null;
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
    /** Uses that are still taken. */
    redeemed_quantity: number;
    /** ABANDONED: the redemption never came about. ROLLED_BACK: it was undone. */
    cause: 'ABANDONED' | 'ROLLED_BACK';
    /** Business time, the voucher's `updated_at` from then on. Since schema version 2; null in older events, which
     *  did not change it. */
    restored_at: Instant | null;
  };
}

/** A voucher was deleted: into the bin, where its code stays taken, or for good. Uses that were claimed before are settled and
 *  given back as before. */
export interface VoucherDeleted {
  type: 'VoucherDeleted';
  data: {
    /** As it was. */
    voucher: VoucherSnapshot;
    /** Null for a voucher without a campaign, and where `bulk` is true. */
    campaign: CampaignSnapshot | null;
    /** For good: its code is free. */
    permanent: boolean;
    deleted_at: Instant;
    /** It was deleted with its campaign. */
    bulk?: true;
  };
}

/** A voucher in the bin was deleted for good: its code is free. */
export interface VoucherPurged {
  type: 'VoucherPurged';
  data: {
    code: string;
    /** Null for a voucher without a campaign. */
    campaign_id: string | null;
    purged_at: Instant;
  };
}

/** A campaign's change reached a voucher with events of its own, which was neither published nor redeemed. */
export interface VoucherFollowedCampaign {
  type: 'VoucherFollowedCampaign';
  data: {
    /** The background task. */
    async_action_id: string;
    /** What the voucher says from then on. */
    fields: Partial<Omit<VoucherSnapshot, 'id' | 'code' | 'created_at'>>;
    /** Business time. */
    updated_at: Instant;
  };
}
