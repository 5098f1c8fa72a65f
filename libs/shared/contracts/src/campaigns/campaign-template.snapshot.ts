import type { ValidityWindows } from '@scrip/vouchers';
import type { KeptLocation } from '../auth/auth.port';
import type { KeptCatalog } from '../catalog/kept-catalog';
import type { SegmentSnapshot } from '../customers/segment.events';
import type { RuleDefinition } from '../qualification/rule.events';
import type { Instant, Metadata } from '../snapshot';
import type { CampaignSnapshot, CampaignVoucherTemplate } from './campaign.snapshot';

/** What campaigns and tiers made from a template have, as its source had it. Source: reference 04 §12. */
export interface CampaignTemplateContent extends ValidityWindows {
  type: CampaignSnapshot['type'];
  description: string | null;
  /** Of a tier: what customers read; null: nothing. */
  banner: string | null;
  voucher: CampaignVoucherTemplate;
  join_once: boolean;
  use_voucher_metadata_schema: boolean;
  activity_duration_after_publishing: string | null;
  start_date: Instant | null;
  expiration_date: Instant | null;
  metadata: Metadata;
}

/** The type that a metadata schema gave to what rules or filters of a template look at. */
export interface KeptMetadataType {
  related_object: 'customer' | 'order' | 'order_item' | 'product' | 'redemption';
  /** Dots lead into nested objects. */
  property: string;
  /** `number`, `date`, … */
  type: string;
}

/** Records of other contexts as they were when a template was made. */
export interface KeptResources {
  catalog: KeptCatalog;
  segments: SegmentSnapshot[];
  locations: KeptLocation[];
  /** Of metadata that had a definition. */
  metadata_types: KeptMetadataType[];
}

/** A template's own state, as its events carry it. Source: reference 04 §12. */
export interface CampaignTemplateSnapshot {
  /** `camp_tpl_…` */
  id: string;
  /** No two templates of a project have the same. */
  name: string;
  description: string | null;
  campaign_type: 'DISCOUNT_COUPONS' | 'GIFT_VOUCHERS';
  content: CampaignTemplateContent;
  /** What held for its source; at most 20. Absent of templates that were made before rules were kept: they have none. */
  rules?: RuleDefinition[];
  /** What rules and discount name. Absent as `rules`. */
  resources?: KeptResources;
  created_at: Instant;
  /** Null until the first change. */
  updated_at: Instant | null;
}
