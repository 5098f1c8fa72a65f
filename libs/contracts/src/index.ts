export { type Topic, topics } from './topics';
export type { CategorySnapshot, Instant, Metadata, ValidityWindows } from './snapshot';
export type { Claimed, ClaimRequest, Outcome, RefundRequest } from './claims';
export type {
  ApiKeyIssued,
  ApiKeyRevoked,
  ClientSwitches,
  ProjectCreated,
  ProjectEvent,
} from './auth/project.events';
export { type AuthPort, authPort, type Credentials, type Principal } from './auth/auth.port';
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
} from './campaigns/campaign.events';
export type {
  CampaignSnapshot,
  CampaignType,
  CampaignVoucherTemplate,
  CodeConfig,
  GenerationStatus,
} from './campaigns/campaign.snapshot';
export type {
  GiftSnapshot,
  LoyaltyCardSnapshot,
  VoucherSnapshot,
  VoucherTemplate,
  VoucherType,
} from './campaigns/voucher.snapshot';
export {
  type CampaignResponse,
  renderCampaign,
  type SimpleCampaign,
  simpleCampaign,
} from './campaigns/campaign.wire';
export {
  renderVoucher,
  type SimpleVoucher,
  simpleVoucher,
  type VoucherResponse,
} from './campaigns/voucher.wire';
export { type AssetIds, assetIds, type VoucherAssets } from './campaigns/voucher-assets';
export {
  quantityAllows,
  type UsableCampaign,
  type UsableVoucher,
  usableAt,
  windowsAreOpen,
} from './campaigns/usability';
export { type CampaignsPort, campaignsPort, type RedeemableVoucher } from './campaigns/campaigns.port';
export type { CustomerAddress, CustomerInput, CustomerSnapshot } from './customers/customer.snapshot';
export type { CustomerCreated, CustomerEvent, CustomerUpdated } from './customers/customer.events';
export type { OrderRedemption, OrderSnapshot, OrderStatus } from './customers/order.snapshot';
export type {
  OrderCanceled,
  OrderCreated,
  OrderEvent,
  OrderFulfilled,
  OrderPaid,
  OrderUpdated,
} from './customers/order.events';
export { type CustomersPort, customersPort } from './customers/customers.port';
export { renderCustomer, simpleCustomer } from './customers/customer.wire';
export { type OrderResponse, type ShownOrder, renderOrder, simpleOrder } from './customers/order.wire';
export type {
  RedemptionChannel,
  RedemptionClaims,
  RedemptionFact,
  RedemptionSnapshot,
} from './qualification/redemption.snapshot';
export type {
  RedemptionEvent,
  RedemptionFailed,
  RedemptionRollbackFailed,
  RedemptionRollbackStarted,
  RedemptionRolledBack,
  RedemptionSucceeded,
} from './qualification/redemption.events';
export {
  type RedemptionEntryResponse,
  type RedemptionRelations,
  type RelatedRollback,
  type StepOrder,
  renderRedemption,
  renderRollback,
  simpleRedemption,
  stepOrder,
} from './qualification/redemption.wire';
export { type QualificationPort, qualificationPort } from './qualification/qualification.port';
export type {
  AsyncActionCompleted,
  AsyncActionEnqueued,
  AsyncActionFailed,
  AsyncActionSnapshot,
  AsyncActionStarted,
  AsyncActionType,
  TaskEvent,
  VoucherGenerationWork,
} from './operations/task.events';
export { taskIdPrefix, type TaskOwner, taskOwner } from './operations/task-owner';
export type {
  EndpointEvent,
  WebhookCreated,
  WebhookDeleted,
  WebhookDisabled,
  WebhookSnapshot,
  WebhookUpdated,
} from './webhooks/endpoint.events';
export { type WebhooksPort, webhooksPort } from './webhooks/webhooks.port';
