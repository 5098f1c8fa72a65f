import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { CampaignTemplateSnapshot } from '@scrip/contracts/campaigns';
import { pageOf } from '@scrip/edge';
import { runQuery } from '@scrip/event-store';
import { isRefused, type RequestContext } from '@scrip/kernel';
import { InjectListReader, type ListReader } from '@scrip/service';
import type { DataSource } from 'typeorm';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { templateNotFound, type TemplateState } from './template.decider';
import { type TemplateListQuery, templateListStatements } from './template-list.query';

/** A page of templates. `total`: all of the project, as far as lists count; null where it was not asked for. */
export interface TemplatePage {
  templates: CampaignTemplateSnapshot[];
  hasMore: boolean;
  total: number | null;
}

/** Reads templates as they stand. */
@Injectable()
export class TemplateReads {
  constructor(
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    @InjectListReader('campaigns') private readonly lists: ListReader,
  ) {}

  /** Refuses `not_found`. */
  async find({ project }: RequestContext, id: string): Promise<CampaignTemplateSnapshot | CampaignsRefusal> {
    const [row] = await runQuery<{ state: TemplateState }>(
      this.dataSource,
      'SELECT state FROM campaign_templates WHERE project_id = $1 AND id = $2 AND NOT deleted',
      [project.id, id],
    );
    return row?.state.template ?? templateNotFound(id);
  }

  /** A page by the ids, which sort by creation. Refuses filters whose values do not fit. */
  async list(context: RequestContext, query: TemplateListQuery): Promise<TemplatePage | CampaignsRefusal> {
    const statements = templateListStatements(context.project.id, query);
    if (isRefused(statements)) return statements;
    const rows = await this.lists.rows<{ state: TemplateState }>(context, statements.page);
    const { items, hasMore } = pageOf(rows, query.limit);
    const templates = items.map(({ state }) => state.template);
    if (!query.include_total) return { templates, hasMore, total: null };
    const [counted] = await this.lists.rows<{ total: string }>(context, statements.count);
    return { templates, hasMore, total: Number(counted?.total ?? 0) };
  }
}
