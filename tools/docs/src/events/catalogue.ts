import type { topics } from '@scrip/contracts/registry';

/** What the type system does not know of a topic. */
export interface TopicEntry {
  /** The union of its events in `contracts`. */
  events: string;
  /** What `subject` is. */
  stream: string;
}

/** Every topic, with the types of its events. */
export const catalogue: Readonly<Record<keyof typeof topics, TopicEntry>> = {
  project: { events: 'ProjectEvent', stream: 'project, `proj_…`' },
  metadataSchema: { events: 'MetadataSchemaEvent', stream: 'metadata schema, `ms_…`' },
  campaign: { events: 'CampaignEvent', stream: 'campaign, `camp_…`' },
  voucher: { events: 'VoucherEvent', stream: 'voucher, `v_…`' },
  publication: { events: 'PublicationEvent', stream: 'publication, `pub_…`' },
  campaignTemplate: { events: 'CampaignTemplateEvent', stream: 'template, `camp_tpl_…`' },
  referral: { events: 'ReferralEvent', stream: 'campaign and referee, `rfl_…`' },
  campaignTask: { events: 'TaskEvent', stream: 'background task, `aa_c…`' },
  catalogTask: { events: 'TaskEvent', stream: 'background task, `aa_p…`' },
  customerTask: { events: 'TaskEvent', stream: 'background task, `aa_u…`' },
  customer: { events: 'CustomerEvent', stream: 'customer, `cust_…`' },
  order: { events: 'OrderEvent', stream: 'order, `ord_…`' },
  segment: { events: 'SegmentEvent', stream: 'segment, `seg_…`' },
  redemption: { events: 'RedemptionEvent', stream: 'redemption, `r_…`, or failed redemption, `rf_…`' },
  rule: { events: 'ValidationRuleEvent', stream: 'validation rule, `val_…`' },
  endpoint: { events: 'EndpointEvent', stream: 'webhook endpoint, `wh_…`' },
  product: { events: 'ProductEvent', stream: 'product, `prod_…`' },
  productCollection: { events: 'ProductCollectionEvent', stream: 'product collection, `pc_…`' },
  promotionTier: { events: 'PromotionTierEvent', stream: 'promotion tier, `promo_…`' },
  promotionStack: { events: 'PromotionStackEvent', stream: 'promotion stack, `stack_…`' },
};
