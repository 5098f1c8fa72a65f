import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { CampaignSnapshot } from '@scrip/contracts/campaigns';
import { lookUp, ofAnyLength, runQuery } from '@scrip/event-store';
import { type BusinessClock, type RequestContext, isRefused } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import type { MetadataTypes } from '@scrip/metadata-schemas';
import { batchLoader } from '@scrip/rpc';
import { createdCursor, InjectBusinessClock, InjectListReader, type ListReader } from '@scrip/service';
import type { DataSource } from 'typeorm';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { CurrentCategories } from '../categories/current-categories';
import { campaignNotFound } from './campaign.aggregate';
import { type CampaignState, withAllCodes } from './campaign.decider';
import { type CampaignListQuery, listStatement } from './campaign-list.query';
import { singleCodes } from './single-codes';

interface CampaignRow {
  state: CampaignState;
  single_codes: string;
}

interface NamedCampaign {
  projectId: string;
  idOrName: string;
}

const uncountedSql = `
  SELECT q.place, c.state
  FROM unnest(${ofAnyLength('$1')}, ${ofAnyLength('$2')}) WITH ORDINALITY AS q(project_id, id_or_name, place)
  JOIN LATERAL (
    SELECT i.state, 0 AS rank FROM campaigns i
    WHERE i.project_id = q.project_id AND i.id = q.id_or_name AND i.deleted_at IS NULL
    UNION ALL
    SELECT n.state, 1 AS rank FROM campaigns n
    WHERE n.project_id = q.project_id AND n.name = q.id_or_name AND n.deleted_at IS NULL
    ORDER BY rank LIMIT 1
  ) c ON true`;

const snapshotOf = ({ state, single_codes }: CampaignRow): CampaignSnapshot =>
  withAllCodes(state, Number(single_codes));

/** Reads campaigns as they stand, every code counted. */
@Injectable()
export class CampaignReads {
  private readonly loadUncounted = batchLoader((named: readonly NamedCampaign[]) => this.uncounted(named));

  constructor(
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    @InjectListReader('campaigns') private readonly lists: ListReader,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly metadata: MetadataSchemas,
    private readonly categories: CurrentCategories,
  ) {}

  /** By id or exact name; the id wins. Source: reference 04 §1. */
  async find(context: RequestContext, idOrName: string): Promise<CampaignSnapshot | CampaignsRefusal> {
    const [found] = await this.findMany(context, [idOrName]);
    return found ?? campaignNotFound(idOrName);
  }

  /** By ids or exact names as `find`, in the order asked, in one statement; null for each that does not exist. */
  async findMany(
    context: RequestContext,
    idsOrNames: readonly string[],
  ): Promise<(CampaignSnapshot | null)[]> {
    const found = await this.revisionsOf(context, idsOrNames);
    return found.map((one) => one && one.campaign);
  }

  /** As `find`, with how often the campaign changed. */
  async findRevision(
    context: RequestContext,
    idOrName: string,
  ): Promise<{ campaign: CampaignSnapshot; revision: number } | CampaignsRefusal> {
    const [found] = await this.revisionsOf(context, [idOrName]);
    return found ?? campaignNotFound(idOrName);
  }

  private async revisionsOf(
    { project }: RequestContext,
    idsOrNames: readonly string[],
  ): Promise<({ campaign: CampaignSnapshot; revision: number } | null)[]> {
    const rows = await runQuery<CampaignRow & { place: string }>(
      this.dataSource,
      `SELECT q.place, c.state, ${singleCodes} AS single_codes
       FROM unnest($2::text[]) WITH ORDINALITY AS q(id_or_name, place)
       JOIN LATERAL (
         SELECT * FROM (
           SELECT 0 AS rank, i.* FROM campaigns i WHERE i.project_id = $1 AND i.id = q.id_or_name
             AND i.deleted_at IS NULL
           UNION ALL
           SELECT 1 AS rank, n.* FROM campaigns n WHERE n.project_id = $1 AND n.name = q.id_or_name
             AND n.deleted_at IS NULL
         ) either ORDER BY rank LIMIT 1
       ) c ON true`,
      [project.id, idsOrNames],
    );
    const shown = await this.categories.shown(project.id, rows.map(snapshotOf));
    const found = new Map(
      rows.map(({ place, state: { revision = 0 } }, index) => [
        Number(place) - 1,
        { campaign: shown[index]!, revision },
      ]),
    );
    return idsOrNames.map((_, place) => found.get(place) ?? null);
  }

  /** The id of a campaign named by id or exact name, and how many of its codes were added singly. Refuses `not_found`. */
  async locate(
    { project }: RequestContext,
    idOrName: string,
  ): Promise<{ id: string; single_codes: number } | CampaignsRefusal> {
    const [row] = await this.dataSource.query<{ id: string; single_codes: string }[]>(
      `SELECT c.id, ${singleCodes} AS single_codes FROM campaigns c
       WHERE c.project_id = $1 AND (c.id = $2 OR c.name = $2) AND c.deleted_at IS NULL ORDER BY (c.id = $2) DESC LIMIT 1`,
      [project.id, idOrName],
    );
    return row ? { id: row.id, single_codes: Number(row.single_codes) } : campaignNotFound(idOrName);
  }

  /** As `find`; `vouchers_count` leaves out codes that were added singly. Calls of the same turn of the event loop share one query. */
  async findUncounted(
    { project }: RequestContext,
    idOrName: string,
  ): Promise<CampaignSnapshot | CampaignsRefusal> {
    return (await this.loadUncounted({ projectId: project.id, idOrName })) ?? campaignNotFound(idOrName);
  }

  private async uncounted(named: readonly NamedCampaign[]): Promise<(CampaignSnapshot | null)[]> {
    const rows = await lookUp<{ place: string; state: CampaignState }>(this.dataSource, uncountedSql, [
      named.map(({ projectId }) => projectId),
      named.map(({ idOrName }) => idOrName),
    ]);
    const found = new Map(rows.map(({ place, state }) => [Number(place), withAllCodes(state, 0)]));
    return named.map((_, index) => found.get(index + 1) ?? null);
  }

  /** A page of campaigns, and how many match, as far as lists count. Source: reference 04 §4.2. */
  async list(
    context: RequestContext,
    query: CampaignListQuery,
  ): Promise<{ campaigns: CampaignSnapshot[]; total: number } | CampaignsRefusal> {
    const { project } = context;
    const cursor = await createdCursor(this.lists, context, query, { tables: ['campaigns'] });
    if (isRefused(cursor)) return cursor;
    const typeOf = await this.typesOf(context, query);
    const now = this.clock.now(project);
    const statements = listStatement(project, query, { singleCodes, now, typeOf, cursor });
    if (isRefused(statements)) return statements;
    const { rows, total } = await this.lists.page<CampaignRow>(context, statements);
    return { campaigns: await this.categories.shown(project.id, rows.map(snapshotOf)), total };
  }

  /** The metadata of a campaign follow the schema of campaigns or that of vouchers, as each campaign says. */
  private async typesOf(context: RequestContext, { filters }: CampaignListQuery): Promise<MetadataTypes> {
    if (!filters) return () => undefined;
    const [ofCampaigns, ofVouchers] = await Promise.all([
      this.metadata.typesOf(context, 'campaign', filters),
      this.metadata.typesOf(context, 'voucher', filters),
    ]);
    return (path) => ofCampaigns(path) ?? ofVouchers(path);
  }
}
