import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { CampaignSnapshot } from '@scrip/contracts/campaigns';
import {
  type PromotionTierSnapshot,
  tierBytesShown,
  type TiersOfCampaign,
  tiersShown,
  type TiersWanted,
} from '@scrip/contracts/promotions';
import { runQuery } from '@scrip/event-store';
import {
  type BusinessClock,
  isFromBrowser,
  isRefused,
  type Refusal,
  type RequestContext,
} from '@scrip/kernel';
import { calendarAt } from '@scrip/list-query';
import { MetadataSchemas } from '@scrip/metadata';
import { InjectBusinessClock, InjectListReader, type ListReader } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { type PromotionsRefusal, tierNotFound } from '../promotions.refusals';
import {
  newestTiersStatement,
  type TierListQuery,
  tierListStatements,
  type TiersOfCampaignQuery,
  tiersOfCampaignStatements,
} from './tier-list.query';

/** A tier and its campaign, as this context heard of it. */
export interface TierWithCampaign {
  tier: PromotionTierSnapshot;
  campaign: CampaignSnapshot;
}

/** A page of tiers, and how many match. */
export interface TierPage {
  tiers: TierWithCampaign[];
  total: number;
}

// The budget is dealt out by places: the first tiers of all campaigns before the second ones of any.
const firstTiers = `
  WITH asked AS (SELECT id, place FROM unnest($2::text[]) WITH ORDINALITY AS a(id, place)),
  first AS (
    SELECT a.id AS campaign_id, a.place, t.tier, t.bytes,
      row_number() OVER (PARTITION BY a.id ORDER BY t.hierarchy, t.id) AS turn
    FROM asked a JOIN LATERAL (
      SELECT t.id, t.hierarchy, t.state->'tier' AS tier, octet_length(t.state::text) AS bytes
      FROM promotion_tiers t WHERE t.project_id = $1 AND t.campaign_id = a.id AND NOT t.deleted
      ORDER BY t.hierarchy, t.id LIMIT ${tiersShown}) t ON true
  ),
  dealt AS (SELECT *, sum(bytes) OVER (ORDER BY turn, place) AS bytes_so_far FROM first)
  SELECT a.id AS campaign_id, c.id IS NOT NULL AS known,
    (SELECT count(*)::int FROM promotion_tiers t
     WHERE t.project_id = $1 AND t.campaign_id = a.id AND NOT t.deleted) AS total,
    coalesce((SELECT jsonb_agg(d.tier ORDER BY d.turn) FROM dealt d
      WHERE d.campaign_id = a.id AND d.bytes_so_far <= $3), '[]') AS tiers
  FROM asked a LEFT JOIN promotion_campaigns c ON c.project_id = $1 AND c.id = a.id`;

/** Reads tiers as they stand. */
@Injectable()
export class TierReads {
  constructor(
    @InjectDataSource('promotions') private readonly dataSource: DataSource,
    @InjectListReader('promotions') private readonly lists: ListReader,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly metadata: MetadataSchemas,
  ) {}

  /** Refuses `not_found`. */
  async find({ project }: RequestContext, id: string): Promise<TierWithCampaign | PromotionsRefusal> {
    const [row] = await runQuery<TierWithCampaign>(
      this.dataSource,
      `SELECT t.state->'tier' AS tier, c.campaign FROM promotion_tiers t
       JOIN promotion_campaigns c ON c.project_id = t.project_id AND c.id = t.campaign_id
       WHERE t.project_id = $1 AND t.id = $2 AND NOT t.deleted`,
      [project.id, id],
    );
    return row ?? tierNotFound(id);
  }

  /** A page of the tiers of all campaigns, for browsers of those in force, and how many match as far as lists count. */
  async list(context: RequestContext, query: TierListQuery): Promise<TierPage> {
    const { project } = context;
    const reader = { projectId: project.id, now: this.clock.now(project), isBrowser: isFromBrowser(context) };
    const statements = tierListStatements(reader, query);
    const { rows, total } = await this.lists.page<TierWithCampaign>(context, statements);
    return { tiers: rows, total };
  }

  /** The ids of the newest tiers in force. Refuses values that do not fit their field. */
  async newest(
    context: RequestContext,
    wanted: TiersWanted,
  ): Promise<string[] | Refusal<'invalid_query_params'>> {
    const { project } = context;
    const now = this.clock.now(project);
    const typeOf = await this.metadata.typesOf(context, 'promotion_tier', wanted.filters);
    const statement = newestTiersStatement({ projectId: project.id, now }, wanted, {
      typeOf,
      calendar: calendarAt(project, now),
    });
    if (isRefused(statement)) return statement;
    const rows = await runQuery<{ id: string }>(this.dataSource, statement.text, statement.values);
    return rows.map(({ id }) => id);
  }

  /** A page of the tiers of one campaign by their places, and how many it has. */
  async ofCampaign(
    context: RequestContext,
    campaignId: string,
    query: TiersOfCampaignQuery,
  ): Promise<TierPage> {
    const statements = tiersOfCampaignStatements(context.project.id, campaignId, query);
    const { rows, total } = await this.lists.page<TierWithCampaign>(context, statements);
    return { tiers: rows, total };
  }

  /** Those of these ids that are of a tier that is not deleted. */
  async live(projectId: string, ids: readonly string[]): Promise<Set<string>> {
    const rows = await runQuery<{ id: string }>(
      this.dataSource,
      'SELECT id FROM promotion_tiers WHERE project_id = $1 AND id = ANY($2) AND NOT deleted',
      [projectId, ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** The first tiers of campaigns, by one statement; `unknown`: campaigns that were not heard of. */
  async ofCampaigns(
    { project }: RequestContext,
    campaignIds: readonly string[],
  ): Promise<{ lists: TiersOfCampaign[]; unknown: string[] }> {
    const rows = await runQuery<TiersOfCampaign & { known: boolean }>(this.dataSource, firstTiers, [
      project.id,
      campaignIds,
      tierBytesShown,
    ]);
    return {
      lists: rows
        .filter(({ known }) => known)
        .map(({ campaign_id, tiers, total }) => ({ campaign_id, tiers, total })),
      unknown: rows.filter(({ known }) => !known).map(({ campaign_id }) => campaign_id),
    };
  }
}
