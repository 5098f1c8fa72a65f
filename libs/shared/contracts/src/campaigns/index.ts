export type {
  CampaignCreated,
  CampaignEvent,
  CampaignVouchersAdded,
  VoucherCreated,
  VoucherEvent,
  VoucherGenerationCompleted,
  VoucherGenerationFailed,
  VoucherGenerationStarted,
  VoucherQuantityConsumed,
  VoucherQuantityRestored,
  VouchersGenerated,
} from './campaign.events';
export type {
  CampaignSnapshot,
  CampaignType,
  CampaignVoucherTemplate,
  CodeConfig,
  GenerationStatus,
} from './campaign.snapshot';
export type {
  GiftSnapshot,
  LoyaltyCardSnapshot,
  VoucherSnapshot,
  VoucherTemplate,
  VoucherType,
} from './voucher.snapshot';
export { voucherUpcasters } from './voucher.upcasters';
export { type CampaignsPort, campaignsPort, type RedeemableVoucher } from './campaigns.port';
