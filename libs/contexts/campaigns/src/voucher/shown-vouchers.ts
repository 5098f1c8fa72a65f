import { Inject, Injectable } from '@nestjs/common';
import type { VoucherSnapshot } from '@scrip/contracts/campaigns';
import { RulesOfBodies } from '@scrip/incentives/rules';
import type { RequestContext } from '@scrip/kernel';
import { type AssetIds, renderVoucher, type VoucherResponse } from '@scrip/wire/campaigns';
import { ASSET_IDS } from '../assets/asset-ids.provider';

/** Vouchers as answers show them. */
@Injectable()
export class ShownVouchers {
  constructor(
    @Inject(ASSET_IDS) private readonly assets: AssetIds,
    private readonly rules: RulesOfBodies,
  ) {}

  /** With the rules that hold for them, those of their campaigns too: by one call for all. */
  async all(context: RequestContext, vouchers: readonly VoucherSnapshot[]): Promise<VoucherResponse[]> {
    const ids = vouchers.flatMap(({ id, campaign_id }) => (campaign_id === null ? [id] : [id, campaign_id]));
    const rulesOf = await this.rules.shown(context, ids);
    return vouchers.map((voucher) => {
      const assets = this.assets.of(context.project.id, voucher.code);
      return renderVoucher(voucher, assets, rulesOf(voucher.id, voucher.campaign_id));
    });
  }

  async one(context: RequestContext, voucher: VoucherSnapshot): Promise<VoucherResponse> {
    const [shown] = await this.all(context, [voucher]);
    return shown!;
  }
}
