import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { CampaignSnapshot, RedeemableVoucher, VoucherEvent } from '@scrip/contracts/campaigns';
import { type AggregateStore, type EventStore, InjectEventStore, runQuery } from '@scrip/event-store';
import { type Refusal, type RequestContext, isRefused } from '@scrip/kernel';
import { batchLoader } from '@scrip/rpc';
import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';
import { type CampaignState, withAllCodes } from '../campaign/campaign.decider';
import { foldCode } from '../generation/code-config';
import { voucherAggregate, voucherColumns, voucherFromRow } from './voucher.aggregate';
import { type VoucherState, voucherNotFound } from './voucher.decider';

interface Asked {
  projectId: string;
  codeOrId: string;
  codeKey: string;
}

/** A voucher's campaign; null for a standalone one. */
interface Binding {
  campaign: CampaignSnapshot | null;
}

/** How long a campaign's dates and switch may be remembered, milliseconds. Source: architecture §7. */
const rememberedMs = 1_000;
const rememberedVouchers = 10_000;

// One query for everybody who asks in the same turn of the event loop, whatever project they ask in.
const selectAsked = `
  SELECT q.place, ${voucherColumns}, t.version::text AS version, t.epoch, c.state AS campaign_state
  FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS q(project_id, code_or_id, code_key, place)
  JOIN LATERAL (
    SELECT * FROM (
      SELECT 0 AS rank, v.* FROM vouchers v WHERE v.project_id = q.project_id AND v.id = q.code_or_id
      UNION ALL
      SELECT 1 AS rank, v.* FROM vouchers v WHERE v.project_id = q.project_id AND v.code_key = q.code_key
    ) either ORDER BY rank LIMIT 1
  ) t ON true
  LEFT JOIN voucher_definitions d ON d.project_id = t.project_id AND d.id = t.definition_id
  LEFT JOIN campaigns c ON c.project_id = t.project_id AND c.id = t.campaign_id`;

/** Loads vouchers with the campaigns that bind them. */
@Injectable()
export class Redeemables {
  private readonly bindings = new LRUCache<string, Binding>({ max: rememberedVouchers, ttl: rememberedMs });
  private readonly loadOne = batchLoader((asked: readonly Asked[]) => this.loadBatch(asked));

  private readonly vouchers: AggregateStore<VoucherState, VoucherEvent>;

  constructor(
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    @InjectEventStore('campaigns') store: EventStore,
  ) {
    this.vouchers = store.aggregate(voucherAggregate);
  }

  /** By id or code, the id wins, in the order asked; `not_found` for what does not exist. `vouchers_count` of the
   *  campaigns leaves out codes added singly. */
  load(
    { project }: RequestContext,
    codesOrIds: readonly string[],
  ): Promise<(RedeemableVoucher | Refusal<'not_found'>)[]> {
    return Promise.all(
      codesOrIds.map((codeOrId) =>
        this.loadOne({
          projectId: project.id,
          codeOrId,
          codeKey: foldCode(codeOrId, project.caseSensitiveCodes),
        }),
      ),
    );
  }

  /** The campaign that binds a voucher, at most a second old; undefined when there is no such voucher. */
  async bindingOf(context: RequestContext, voucherId: string): Promise<Binding | undefined> {
    const remembered = this.bindings.get(`${context.project.id}\n${voucherId}`);
    if (remembered) return remembered;
    const [loaded] = await this.load(context, [voucherId]);
    return loaded && !isRefused(loaded) && loaded.voucher.id === voucherId
      ? { campaign: loaded.campaign }
      : undefined;
  }

  private async loadBatch(asked: readonly Asked[]): Promise<(RedeemableVoucher | Refusal<'not_found'>)[]> {
    const rows = await runQuery<Record<string, unknown> & { place: string }>(this.dataSource, selectAsked, [
      asked.map(({ projectId }) => projectId),
      asked.map(({ codeOrId }) => codeOrId),
      asked.map(({ codeKey }) => codeKey),
    ]);
    const found = new Map(rows.map((row) => [Number(row.place) - 1, row]));
    return asked.map(({ projectId, codeOrId }, place) => {
      const row = found.get(place);
      const state = row && voucherFromRow(row);
      if (!state) return voucherNotFound(codeOrId);
      const campaignState = row.campaign_state as CampaignState | null;
      const campaign = campaignState && withAllCodes(campaignState, 0);
      // Who loads a redeemable usually claims it next.
      const loaded = { state, version: Number(row.version), epoch: row.epoch as number };
      this.vouchers.remember(projectId, state.voucher.id, loaded);
      this.bindings.set(`${projectId}\n${state.voucher.id}`, { campaign });
      return { voucher: state.voucher, campaign };
    });
  }
}
