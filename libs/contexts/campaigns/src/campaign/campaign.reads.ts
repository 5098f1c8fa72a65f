import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { CampaignSnapshot } from '@scrip/contracts/campaigns';
import { type BusinessClock, type RequestContext, isRefused } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import type { MetadataTypes } from '@scrip/metadata-schemas';
import { InjectBusinessClock, InjectListReader, type ListReader } from '@scrip/service';
import type { DataSource } from 'typeorm';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { campaignNotFound } from './campaign.aggregate';
import { type CampaignState, withAllCodes } from './campaign.decider';
import { type CampaignListQuery, listStatement } from './campaign-list.query';

interface CampaignRow {
  state: CampaignState;
  single_codes: string;
}

/** Codes that were added singly, by an index of their own: those of a code order, imports too, have its definition,
 *  and the campaign's stream counts them. Source: ADR 33. */
export const singleCodes = `(SELECT count(*) FROM vouchers v
  WHERE v.project_id = c.project_id AND v.campaign_id = c.id AND v.definition_id IS NULL)`;

const snapshotOf = ({ state, single_codes }: CampaignRow): CampaignSnapshot =>
  withAllCodes(state, Number(single_codes));

/** Reads campaigns as they stand, every code counted. */
@Injectable()
export class CampaignReads {
  constructor(
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    @InjectListReader('campaigns') private readonly lists: ListReader,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly metadata: MetadataSchemas,
  ) {}

  /** By id or exact name; the id wins. Source: reference 04 §1. */
  async find({ project }: RequestContext, idOrName: string): Promise<CampaignSnapshot | CampaignsRefusal> {
    const [row] = await this.dataSource.query<CampaignRow[]>(
      `SELECT c.state, ${singleCodes} AS single_codes FROM campaigns c
       WHERE c.project_id = $1 AND (c.id = $2 OR c.name = $2) ORDER BY (c.id = $2) DESC LIMIT 1`,
      [project.id, idOrName],
    );
    return row ? snapshotOf(row) : campaignNotFound(idOrName);
  }

  /** A page of campaigns, and how many match, as far as lists count. Source: reference 04 §4.2. */
  async list(
    context: RequestContext,
    query: CampaignListQuery,
  ): Promise<{ campaigns: CampaignSnapshot[]; total: number } | CampaignsRefusal> {
    const { project } = context;
    const typeOf = await this.typesOf(context, query);
    const statements = listStatement(project, query, { singleCodes, now: this.clock.now(project), typeOf });
    if (isRefused(statements)) return statements;
    const { rows, total } = await this.lists.page<CampaignRow>(context, statements);
    return { campaigns: rows.map(snapshotOf), total };
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
