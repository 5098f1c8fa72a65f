import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type {
  CampaignSnapshot,
  HeldPage,
  HeldWanted,
  HolderSnapshot,
  QualifyingFound,
  QualifyingObject,
} from '@scrip/contracts/campaigns';
import { runQuery } from '@scrip/event-store';
import { type RequestContext, isRefused } from '@scrip/kernel';
import { fittingOf } from '@scrip/rpc';
import type { DataSource } from 'typeorm';
import { type CampaignState, withAllCodes } from '../campaign/campaign.decider';
import { singleCodes } from '../campaign/single-codes';
import { CurrentCategories } from '../categories/current-categories';
import { Redeemables } from '../voucher/redeemables';

// What a customer holds is few, so that the newest of it are found by a sort.
/** The codes that a customer holds. */
export const heldVouchers = `
  SELECT h.voucher_id, h.role, t.created_at FROM holders h
  JOIN vouchers t ON t.project_id = h.project_id AND t.id = h.voucher_id AND t.deleted_at IS NULL
  LEFT JOIN campaigns c ON c.project_id = t.project_id AND c.id = t.campaign_id
  WHERE h.project_id = $1 AND h.customer_id = $2 AND c.deleted_at IS NULL
    AND ($3 OR (c.type <> 'STANDALONE' AND h.role <> 'REFERRER'))
    AND ($4::timestamptz IS NULL OR (t.created_at, t.id) < ($4, $5))
  ORDER BY t.created_at DESC, t.id DESC LIMIT $6`;

const campaignsByIds = (countsCodes: boolean): string => `
  SELECT c.state, ${countsCodes ? singleCodes : '0'} AS single_codes
  FROM campaigns c WHERE c.project_id = $1 AND c.id = ANY($2) AND c.deleted_at IS NULL`;

interface HeldRow {
  voucher_id: string;
  role: HolderSnapshot['role'];
  created_at: Date;
}

/** Reads what may qualify. Source: reference 02 §8. */
@Injectable()
export class QualifyingReads {
  constructor(
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    private readonly redeemables: Redeemables,
    private readonly categories: CurrentCategories,
  ) {}

  /** All of these, in the order given. `countsCodes`: see `QualifyingPort.loadQualifying`. */
  async load(
    context: RequestContext,
    objects: readonly QualifyingObject[],
    { countsCodes }: { countsCodes: boolean },
  ): Promise<QualifyingFound[]> {
    const idsOf = (wanted: QualifyingObject['type']): string[] =>
      objects.flatMap(({ type, id }) => (type === wanted ? [id] : []));
    const voucherIds = idsOf('voucher');
    const [campaigns, vouchers] = await Promise.all([
      this.campaignsOf(context, idsOf('campaign'), countsCodes),
      this.redeemables.load(context, voucherIds),
    ]);
    const found = new Map<string, QualifyingFound>([
      ...campaigns.map((campaign) => [campaign.id, { campaign }] as const),
      ...vouchers.flatMap((one, place) => (isRefused(one) ? [] : [[voucherIds[place]!, one] as const])),
    ]);
    return objects.map(({ id }) => found.get(id) ?? null);
  }

  /** See `QualifyingPort.listHeld`. */
  async held(context: RequestContext, { customer_id, among, after, limit }: HeldWanted): Promise<HeldPage> {
    const rows = await runQuery<HeldRow>(this.dataSource, heldVouchers, [
      ...[context.project.id, customer_id, among === 'ALL'],
      ...[after?.created_at ?? null, after?.id ?? null, limit],
    ]);
    const loaded = fittingOf(
      await this.redeemables.load(
        context,
        rows.map(({ voucher_id }) => voucher_id),
      ),
    );
    const held = loaded.flatMap((one, place) =>
      // It was deleted meanwhile.
      isRefused(one) ? [] : { ...one, holder_role: rows[place]!.role },
    );
    const last = rows[loaded.length - 1];
    return last && (rows.length === limit || loaded.length < rows.length)
      ? { held, next: { created_at: last.created_at.toISOString(), id: last.voucher_id } }
      : { held, next: null };
  }

  private async campaignsOf(
    { project }: RequestContext,
    ids: readonly string[],
    countsCodes: boolean,
  ): Promise<CampaignSnapshot[]> {
    if (ids.length === 0) return [];
    const rows = await runQuery<{ state: CampaignState; single_codes: string }>(
      this.dataSource,
      campaignsByIds(countsCodes),
      [project.id, ids],
    );
    return this.categories.shown(
      project.id,
      rows.map(({ state, single_codes }) => withAllCodes(state, Number(single_codes))),
    );
  }
}
