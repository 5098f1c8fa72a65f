import type {
  CampaignSnapshot,
  VoucherCreated,
  VoucherDeleted,
  VoucherDisabled,
  VoucherEnabled,
  VoucherSnapshot,
  VoucherUpdated,
} from '@scrip/contracts/campaigns';
import { renderVoucher, simpleCampaign } from '@scrip/wire/campaigns';
import { type Relations, rendererOf } from '../renderer';

const full = (
  { voucher, campaign }: { voucher: VoucherSnapshot; campaign: CampaignSnapshot | null },
  { assets }: Relations,
) => ({
  entityId: voucher.id,
  data: {
    voucher: renderVoucher(voucher, assets(voucher.code)),
    campaign: campaign ? simpleCampaign(campaign) : null,
  },
});

/** Kinds about single vouchers. Source: reference 06 §3. */
export const voucherRenderers = [
  rendererOf<VoucherCreated>({
    kind: 'voucher.created',
    of: 'VoucherCreated',
    render: (data, relations) => (data.notify === false ? null : full(data, relations)),
  }),
  rendererOf<VoucherUpdated>({
    kind: 'voucher.updated',
    of: 'VoucherUpdated',
    render: (data, relations) => (data.notify ? full(data, relations) : null),
  }),
  rendererOf<VoucherDeleted>({
    kind: 'voucher.deleted',
    of: 'VoucherDeleted',
    render: (data, relations) => (data.bulk ? null : full(data, relations)),
  }),
  rendererOf<VoucherEnabled>({ kind: 'voucher.enabled', of: 'VoucherEnabled', render: full }),
  rendererOf<VoucherDisabled>({ kind: 'voucher.disabled', of: 'VoucherDisabled', render: full }),
];
