export {
  type BrowserVoucherResponse,
  type HeldRedeemableResponse,
  type RedeemableStatus,
  renderHeldRedeemable,
  renderVoucherToBrowser,
} from './held-redeemable.wire';
export { type BalanceResponse, renderBalance } from './balance.wire';
export { type CampaignSummaryResponse, renderCampaignSummary } from './campaign-summary.wire';
export { type CampaignResponse, renderCampaign, type SimpleCampaign, simpleCampaign } from './campaign.wire';
export { type GiftTransactionResponse, renderGiftTransaction } from './gift-transaction.wire';
export {
  type AssignedHoldersResponse,
  type HolderResponse,
  type ListedHolderResponse,
  renderHolder,
  renderListedHolder,
} from './holder.wire';
export {
  type ListedPublicationResponse,
  type PublicationResponse,
  renderListedPublication,
  renderPublication,
  publicationFact,
  type PublicationFact,
  publicationSubject,
  type PublicationSubject,
  renderPublicationToBrowser,
} from './publication.wire';
export {
  renderUses,
  renderVoucher,
  type SimpleVoucher,
  simpleVoucher,
  voucherForBrowsers,
  type VoucherResponse,
  type VoucherUsesResponse,
} from './voucher.wire';
export { type AssetIds, assetIds, assetIdsPurpose, type VoucherAssets } from './voucher-assets';
