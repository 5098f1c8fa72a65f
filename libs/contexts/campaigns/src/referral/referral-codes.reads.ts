import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { CampaignSnapshot, VoucherSnapshot } from '@scrip/contracts/campaigns';
import { type RequestContext, isRefused } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import { campaignNotFound } from '../campaign/campaign.aggregate';
import { CampaignReads } from '../campaign/campaign.reads';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { Redeemables } from '../voucher/redeemables';
import { voucherNotFound } from '../voucher/voucher.decider';
import { publicationOf } from '../holder/holder.table';

/** A code as a path names it: `member` by code or id, `campaign` by id or name where the path has one. */
export interface NamedMember {
  member: string;
  campaign: string | null;
}

/** A referral code; `publication_id` null: it is not published. */
export interface FoundReferralCode {
  voucher: VoucherSnapshot;
  campaign: CampaignSnapshot;
  publication_id: string | null;
}

/** Finds the codes of referral programs. */
@Injectable()
export class ReferralCodes {
  constructor(
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    private readonly redeemables: Redeemables,
    private readonly campaigns: CampaignReads,
  ) {}

  /** Refuses `not_found`: an unknown campaign and one of another kind, then a code that is unknown, none of the campaign, or
   *  no referral code. Source: reference 04 §11. */
  async find(
    context: RequestContext,
    { member, campaign: named }: NamedMember,
  ): Promise<FoundReferralCode | CampaignsRefusal> {
    const program = named === null ? null : await this.campaigns.findUncounted(context, named);
    if (isRefused(program)) return program;
    if (named !== null && program?.campaign_type !== 'REFERRAL_PROGRAM') return campaignNotFound(named);
    const found = await this.redeemables.find(context, member);
    if (isRefused(found)) return found;
    const { voucher, campaign } = found;
    if (!voucher.is_referral_code || !campaign || (program && program.id !== campaign.id))
      return voucherNotFound(member);
    const publication_id = await publicationOf(this.dataSource, context.project.id, voucher.id);
    return { voucher, campaign, publication_id };
  }
}
