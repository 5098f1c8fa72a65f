export { type CampaignResponse, renderCampaign, type SimpleCampaign, simpleCampaign } from './campaign.wire';
export { renderVoucher, type SimpleVoucher, simpleVoucher, type VoucherResponse } from './voucher.wire';
export { type AssetIds, assetIds, assetIdsPurpose, type VoucherAssets } from './voucher-assets';
