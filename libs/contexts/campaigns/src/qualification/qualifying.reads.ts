import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type {
  CampaignSnapshot,
  HeldVoucher,
  HeldWanted,
  HolderSnapshot,
  RedeemableVoucher,
} from '@scrip/contracts/campaigns';
import { runQuery } from '@scrip/event-store';
import { type RequestContext, isRefused } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import { type CampaignState, withAllCodes } from '../campaign/campaign.decider';
import { CurrentCategories } from '../categories/current-categories';
import { Redeemables } from '../voucher/redeemables';

// What a customer holds is few, so that the newest of it are found by a sort.
/** The codes that a customer holds. */
export const heldVouchers = `
  SELECT h.voucher_id, h.role FROM holders h
  JOIN vouchers t ON t.project_id = h.project_id AND t.id = h.voucher_id AND t.deleted_at IS NULL
  LEFT JOIN campaigns c ON c.project_id = t.project_id AND c.id = t.campaign_id
  WHERE h.project_id = $1 AND h.customer_id = $2 AND c.deleted_at IS NULL
    AND ($3 OR (c.type <> 'STANDALONE' AND h.role <> 'REFERRER'))
    AND ($4::timestamptz IS NULL OR (t.created_at, t.id) < ($4, $5))
  ORDER BY t.created_at DESC, t.id DESC LIMIT $6`;

/** The campaigns of these ids. */
export const campaignsByIds = `
  SELECT state FROM campaigns WHERE project_id = $1 AND id = ANY($2) AND deleted_at IS NULL`;

/** Reads what may qualify. Source: reference 02 §8. */
@Injectable()
export class QualifyingReads {
  constructor(
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    private readonly redeemables: Redeemables,
    private readonly categories: CurrentCategories,
  ) {}

  /** See `QualifyingPort.loadQualifying`. */
  async load(
    context: RequestContext,
    { campaigns, vouchers }: { campaigns: readonly string[]; vouchers: readonly string[] },
  ): Promise<{ campaigns: CampaignSnapshot[]; vouchers: RedeemableVoucher[] }> {
    const [found, loaded] = await Promise.all([
      this.campaignsOf(context, campaigns),
      this.redeemables.load(context, vouchers),
    ]);
    return { campaigns: found, vouchers: loaded.flatMap((one) => (isRefused(one) ? [] : one)) };
  }

  /** See `QualifyingPort.listHeld`. */
  async held(
    context: RequestContext,
    { customer_id, among, after, limit }: HeldWanted,
  ): Promise<HeldVoucher[]> {
    const rows = await runQuery<{ voucher_id: string; role: HolderSnapshot['role'] }>(
      this.dataSource,
      heldVouchers,
      [context.project.id, customer_id, among === 'ALL', after?.created_at ?? null, after?.id ?? null, limit],
    );
    const loaded = await this.redeemables.load(
      context,
      rows.map(({ voucher_id }) => voucher_id),
    );
    return rows.flatMap(({ role: holder_role }, place) => {
      const one = loaded[place]!;
      // It was deleted meanwhile.
      return isRefused(one) ? [] : { ...one, holder_role };
    });
  }

  private async campaignsOf(
    { project }: RequestContext,
    ids: readonly string[],
  ): Promise<CampaignSnapshot[]> {
    if (ids.length === 0) return [];
    const rows = await runQuery<{ state: CampaignState }>(this.dataSource, campaignsByIds, [project.id, ids]);
    return this.categories.shown(
      project.id,
      rows.map(({ state }) => withAllCodes(state, 0)),
    );
  }
}
