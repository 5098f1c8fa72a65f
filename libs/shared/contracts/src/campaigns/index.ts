export type {
  CampaignTemplateCreated,
  CampaignTemplateDeleted,
  CampaignTemplateEvent,
  CampaignTemplateUpdated,
  TemplateSource,
} from './campaign-template.events';
export type {
  CampaignTemplateContent,
  CampaignTemplateSnapshot,
  KeptMetadataType,
  KeptResources,
} from './campaign-template.snapshot';
export type {
  CampaignCreated,
  CampaignDeleted,
  CampaignDisabled,
  CampaignEnabled,
  CampaignUpdated,
  CampaignVouchersUpdated,
  VoucherFieldsChanged,
  VoucherFollowedCampaign,
  CampaignEvent,
  CampaignPurged,
  CampaignVouchersAdded,
  VoucherCreated,
  VoucherDeleted,
  VoucherDisabled,
  VoucherEnabled,
  VoucherEvent,
  VoucherGenerationCompleted,
  VoucherGenerationFailed,
  VoucherGenerationStarted,
  VoucherImported,
  VoucherPurged,
  VoucherQuantityConsumed,
  VoucherQuantityRestored,
  VoucherUpdated,
  VouchersGenerated,
  VouchersImported,
} from './campaign.events';
export type {
  CampaignSnapshot,
  CampaignType,
  CampaignVoucherTemplate,
  CodeConfig,
  GenerationStatus,
  ReferralProgramSnapshot,
} from './campaign.snapshot';
export type {
  GiftCreditsAdjusted,
  GiftCreditsRedeemed,
  GiftCreditsRefunded,
  GiftTransaction,
} from './gift.events';
export type { VoucherHeld, VoucherHolds, VoucherHoldsEnded } from './hold.events';
export type {
  GiftSnapshot,
  LoyaltyCardSnapshot,
  VoucherSnapshot,
  VoucherTemplate,
  VoucherType,
} from './voucher.snapshot';
export type {
  HolderAssigned,
  HolderUnassigned,
  PublicationEvent,
  PublicationFailed,
  PublicationSucceeded,
  VoucherPublished,
} from './publication.events';
export type {
  CustomerReferred,
  ReferralCause,
  ReferralEvent,
  ReferralRevoked,
  ReferralSnapshot,
} from './referral.events';
export type { HolderRole, HolderSnapshot, PublicationSnapshot, PublishedValue } from './publication.snapshot';
export { voucherUpcasters } from './voucher.upcasters';
export { type CampaignsPort, campaignsPort, type GrantedVoucher, type VoucherAnswer } from './campaigns.port';
export {
  type HeldPage,
  type HeldVoucher,
  type HeldWanted,
  loadAllQualifying,
  type QualifyingFound,
  type QualifyingObject,
  qualifyingPerCall,
  type QualifyingPort,
} from './qualifying.port';
export type { RedeemableVoucher } from './redeemable-voucher';
