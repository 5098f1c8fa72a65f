import type { VoucherCreated } from '@scrip/contracts/campaigns';
import { renderVoucher, simpleCampaign } from '@scrip/wire/campaigns';
import { rendererOf } from '../renderer';

/** Kinds about single vouchers. Source: reference 06 §3. */
export const voucherRenderers = [
  rendererOf<VoucherCreated>({
    kind: 'voucher.created',
    of: 'VoucherCreated',
    render: ({ voucher, campaign }, { assets }) => ({
      entityId: voucher.id,
      data: {
        voucher: renderVoucher(voucher, assets(voucher.code)),
        campaign: campaign ? simpleCampaign(campaign) : null,
      },
    }),
  }),
];
