import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { RedeemableVoucher, VoucherEvent, VoucherHolds } from '@scrip/contracts/campaigns';
import {
  type AggregateStore,
  type EventStore,
  InjectEventStore,
  lookUp,
  ofAnyLength,
} from '@scrip/event-store';
import type { BusinessClock, Refusal, RequestContext } from '@scrip/kernel';
import { batchLoader } from '@scrip/rpc';
import { InjectBusinessClock } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { type CampaignState, withAllCodes } from '../campaign/campaign.decider';
import { CurrentCategories, withCategory } from '../categories/current-categories';
import { foldCode } from '../generation/code-config';
import { nonBlockingHolds } from '../holds/hold.table';
import {
  campaignColumn,
  campaignJoin,
  definitionJoin,
  voucherAggregate,
  voucherBasis,
  voucherColumns,
  voucherFromRow,
} from './voucher.aggregate';
import { type VoucherState, voucherNotFound } from './voucher.decider';

interface Asked {
  projectId: string;
  codeOrId: string;
  codeKey: string;
  /** The session of the request: its own holds do not block it; null for none. */
  session: string | null;
  /** Business time, ISO 8601. */
  now: string;
}

/** What of a voucher's holds does not block the request. */
interface NonBlocking {
  uses: number;
  credits: number;
}

// One query for everybody who asks in the same turn of the event loop, whatever project they ask in.
const selectAsked = `
  SELECT q.place, ${voucherColumns}, ${campaignColumn}, ${voucherBasis} AS basis, t.version::text AS version, t.epoch,
    c.state AS campaign_state, ${nonBlockingHolds({ session: 'q.session', now: 'q.now' })} AS non_blocking
  FROM unnest(${['$1', '$2', '$3', '$4'].map((texts) => ofAnyLength(texts)).join(', ')}, ${ofAnyLength('$5', 'timestamptz[]')})
    WITH ORDINALITY AS q(project_id, code_or_id, code_key, session, now, place)
  JOIN LATERAL (
    SELECT * FROM (
      SELECT 0 AS rank, v.* FROM vouchers v WHERE v.project_id = q.project_id AND v.id = q.code_or_id
        AND v.deleted_at IS NULL
      UNION ALL
      SELECT 1 AS rank, v.* FROM vouchers v WHERE v.project_id = q.project_id AND v.code_key = q.code_key
        AND v.deleted_at IS NULL
    ) either ORDER BY rank LIMIT 1
  ) t ON true
  ${definitionJoin} ${campaignJoin}
  WHERE c.deleted_at IS NULL`;

/** What sessions of others hold; null for nothing. */
const heldOf = (
  holds: VoucherHolds | undefined,
  nonBlocking: NonBlocking | null,
): RedeemableVoucher['held'] | null => {
  const uses = (holds?.uses ?? 0) - (nonBlocking?.uses ?? 0);
  return holds && uses > 0 ? { uses, credits: holds.credits - (nonBlocking?.credits ?? 0) } : null;
};

/** A voucher as it is stored, its campaign, and what sessions hold of it. */
const loadedFrom = (row: Record<string, unknown>) => {
  const state = voucherFromRow(row);
  const campaign = row.campaign_state as CampaignState | null;
  const held = heldOf(state?.holds, row.non_blocking as NonBlocking | null);
  return (
    state && {
      loaded: {
        state,
        version: Number(row.version),
        epoch: row.epoch as number,
        basis: row.basis as string | null,
      },
      campaign: campaign && withAllCodes(campaign, 0),
      held,
    }
  );
};

/** Loads vouchers with the campaigns that bind them. */
@Injectable()
export class Redeemables {
  private readonly loadOne = batchLoader((asked: readonly Asked[]) => this.loadBatch(asked));

  private readonly vouchers: AggregateStore<VoucherState, VoucherEvent>;

  constructor(
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    @InjectEventStore('campaigns') store: EventStore,
    private readonly categories: CurrentCategories,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {
    this.vouchers = store.aggregate(voucherAggregate);
  }

  /** By id or code, the id wins, in the order asked; `not_found` for what does not exist. `vouchers_count` of the
   *  campaigns leaves out codes added singly. `session`: its holds are not among what is held. */
  load(
    context: RequestContext,
    codesOrIds: readonly string[],
    session: string | null = null,
  ): Promise<(RedeemableVoucher | Refusal<'not_found'>)[]> {
    return Promise.all(codesOrIds.map((codeOrId) => this.find(context, codeOrId, session)));
  }

  /** One voucher, as `load` returns it. Refuses `not_found`. */
  find(
    { project }: RequestContext,
    codeOrId: string,
    session: string | null = null,
  ): Promise<RedeemableVoucher | Refusal<'not_found'>> {
    return this.loadOne({
      projectId: project.id,
      codeOrId,
      codeKey: foldCode(codeOrId, project.caseSensitiveCodes),
      session,
      now: this.clock.now(project).toISOString(),
    });
  }

  private async loadBatch(asked: readonly Asked[]): Promise<(RedeemableVoucher | Refusal<'not_found'>)[]> {
    const rows = await lookUp<Record<string, unknown> & { place: string }>(this.dataSource, selectAsked, [
      asked.map(({ projectId }) => projectId),
      asked.map(({ codeOrId }) => codeOrId),
      asked.map(({ codeKey }) => codeKey),
      asked.map(({ session }) => session),
      asked.map(({ now }) => now),
    ]);
    const found = new Map(rows.map((row) => [Number(row.place) - 1, loadedFrom(row)]));
    const named = asked.flatMap(({ projectId }, place) => {
      const { loaded, campaign = null } = found.get(place) ?? {};
      return [loaded?.state.voucher ?? null, campaign].map((record) => ({ projectId, record }));
    });
    const known = await this.categories.of(named);
    return asked.map(({ projectId, codeOrId }, place) => {
      const one = found.get(place);
      if (!one) return voucherNotFound(codeOrId);
      const { loaded, campaign, held } = one;
      const { voucher } = loaded.state;
      // Who loads a redeemable usually claims it next. What is remembered is as stored, with the category of then.
      this.vouchers.remember(projectId, voucher.id, loaded);
      return {
        voucher: withCategory(known, projectId, voucher),
        campaign: campaign && withCategory(known, projectId, campaign),
        ...(held ? { held } : {}),
      };
    });
  }
}
