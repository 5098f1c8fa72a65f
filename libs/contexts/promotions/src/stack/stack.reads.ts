import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { PromotionStackSnapshot } from '@scrip/contracts/promotions';
import { runQuery } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import { InjectListReader, type ListReader } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { type PromotionsRefusal, stackNotFound } from '../promotions.refusals';
import { type StackListQuery, stackListStatements } from './stack-list.query';

/** A page of stacks, and how many match. */
export interface StackPage {
  stacks: PromotionStackSnapshot[];
  total: number;
}

/** A stack of a campaign. */
export interface StackOfCampaign {
  campaignId: string;
  id: string;
}

interface StackRow {
  stack: PromotionStackSnapshot;
}

/** Reads stacks as they stand. */
@Injectable()
export class StackReads {
  constructor(
    @InjectDataSource('promotions') private readonly dataSource: DataSource,
    @InjectListReader('promotions') private readonly lists: ListReader,
  ) {}

  /** Refuses `not_found`, for a stack of another campaign too. */
  async find(
    { project }: RequestContext,
    { campaignId, id }: StackOfCampaign,
  ): Promise<PromotionStackSnapshot | PromotionsRefusal> {
    const [row] = await runQuery<StackRow>(
      this.dataSource,
      `SELECT state->'stack' AS stack FROM promotion_stacks
       WHERE project_id = $1 AND id = $2 AND campaign_id = $3 AND NOT deleted`,
      [project.id, id, campaignId],
    );
    return row?.stack ?? stackNotFound(id);
  }

  /** A page of the stacks of a project, or of one of its campaigns, and how many match as far as lists count. */
  async list(context: RequestContext, query: StackListQuery, campaignId?: string): Promise<StackPage> {
    const of = { projectId: context.project.id, ...(campaignId === undefined ? {} : { campaignId }) };
    const { rows, total } = await this.lists.page<StackRow>(context, stackListStatements(of, query));
    return { stacks: rows.map(({ stack }) => stack), total };
  }
}
