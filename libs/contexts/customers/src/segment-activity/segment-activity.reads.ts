import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { pageOf } from '@scrip/edge';
import { isRefused, type Refusal, refuse, type RequestContext } from '@scrip/kernel';
import { InjectListReader, type ListReader } from '@scrip/service';
import type { DataSource } from 'typeorm';
import type { SegmentRefusal } from '../segment/segment.decider';
import { SegmentReads } from '../segment/segment.reads';
import {
  type SegmentActivitiesQuery,
  type SegmentActivityCursor,
  segmentActivitiesStatement,
} from './segment-activity-list.query';
import type { SegmentActivityRow } from './segment-activity.wire';

/** A page of a segment's activities. */
export interface SegmentActivityPage {
  rows: SegmentActivityRow[];
  hasMore: boolean;
}

/** Reads what became of segments. */
@Injectable()
export class SegmentActivityReads {
  constructor(
    @InjectDataSource('customers') private readonly dataSource: DataSource,
    @InjectListReader('customers') private readonly lists: ListReader,
    private readonly segments: SegmentReads,
  ) {}

  /** Refuses `not_found`, and `invalid_query_params` for an unknown `starting_after_id`. Source: reference 07 §4. */
  async list(
    context: RequestContext,
    id: string,
    query: SegmentActivitiesQuery,
  ): Promise<SegmentActivityPage | SegmentRefusal> {
    const segment = { projectId: context.project.id, id };
    const found = await this.segments.find(context, id);
    if (isRefused(found)) return found as SegmentRefusal;
    const cursor = await this.cursorOf(segment, query);
    if (isRefused(cursor)) return cursor;
    const rows = await this.lists.rows<SegmentActivityRow & Record<string, unknown>>(
      context,
      segmentActivitiesStatement(segment, query, cursor),
    );
    const { items, hasMore } = pageOf(rows, query.limit);
    return { rows: items, hasMore };
  }

  private async cursorOf(
    { projectId, id }: { projectId: string; id: string },
    { starting_after_id }: SegmentActivitiesQuery,
  ): Promise<SegmentActivityCursor | null | Refusal<'invalid_query_params'>> {
    if (starting_after_id === undefined) return null;
    const [cursor] = await this.dataSource.query<SegmentActivityCursor[]>(
      'SELECT id, created_at FROM segment_activities WHERE project_id = $1 AND segment_id = $2 AND id = $3',
      [projectId, id, starting_after_id],
    );
    const details = `Property .starting_after_id names no event of the list: ${starting_after_id}`;
    return cursor ?? refuse('invalid_query_params', details);
  }
}
