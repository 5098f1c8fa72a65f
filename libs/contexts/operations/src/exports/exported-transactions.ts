import { Injectable } from '@nestjs/common';
import { type CampaignsPort, type CampaignType, campaignsPort } from '@scrip/contracts/campaigns';
import type { ExportParameters } from '@scrip/contracts/operations';
import { isRefused, notFound, type Refusal, refuse, type RequestContext } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';

/** Whose transactions an export has. */
export type TransactionsOf = NonNullable<ExportParameters['of']>;

/** Campaigns whose vouchers have balances. */
const withBalances: ReadonlySet<CampaignType> = new Set(['GIFT_VOUCHERS', 'LOYALTY_PROGRAM']);

/** Finds the voucher or campaign whose transactions are to be exported. Source: reference 04 §4.8, §6.2. */
@Injectable()
export class ExportedTransactions {
  constructor(@InjectPort(campaignsPort) private readonly campaigns: CampaignsPort) {}

  /** By id or code. Refuses `not_found`. */
  async ofVoucher(context: RequestContext, codeOrId: string): Promise<TransactionsOf | Refusal<'not_found'>> {
    const [found] = await this.campaigns.load(context, { objects: [codeOrId] });
    if (!found || isRefused(found)) return notFound('voucher', codeOrId);
    return { voucher_id: found.voucher.id };
  }

  /** By id or name. Refuses `not_found`, and `forbidden` for a campaign without balances. */
  async ofCampaign(
    context: RequestContext,
    idOrName: string,
  ): Promise<TransactionsOf | Refusal<'not_found' | 'forbidden'>> {
    const [found] = await this.campaigns.loadCampaigns(context, { campaigns: [idOrName] });
    if (!found) return notFound('campaign', idOrName);
    return withBalances.has(found.campaign_type)
      ? { campaign_id: found.id }
      : refuse('forbidden', 'Transactions are allowed only for loyalty or gift campaigns');
  }
}
