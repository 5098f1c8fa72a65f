import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { SegmentSnapshot } from '@scrip/contracts/customers';
import { type BusinessClock, type RequestContext, calendarDayOf, isRefused } from '@scrip/kernel';
import { mostCounted } from '@scrip/list-query';
import { InjectBusinessClock, InjectListReader, type ListReader } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { foundSnapshot } from '../customer/customer.handlers';
import { CustomerReads } from '../customer/customer.reads';
import { CustomerBlocksReads } from '../summary/customer-blocks.reads';
import { type SegmentRefusal, type SegmentState, segmentNotFound } from './segment.decider';
import { documentOf } from './segment-filter';
import { FilterContexts } from '@scrip/metadata';
import { matchingSegments } from './segment-matching';
import { type SegmentListQuery, segmentListStatements } from './segment-list.query';

interface SegmentRow {
  state: SegmentState;
}

/** Reads segments as they stand. */
@Injectable()
export class SegmentReads {
  constructor(
    @InjectDataSource('customers') private readonly dataSource: DataSource,
    @InjectListReader('customers') private readonly lists: ListReader,
    private readonly customers: CustomerReads,
    private readonly blocks: CustomerBlocksReads,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly filterContexts: FilterContexts,
  ) {}

  /** Refuses `not_found`. */
  async find({ project }: RequestContext, id: string): Promise<SegmentSnapshot | SegmentRefusal> {
    const [row] = await this.dataSource.query<SegmentRow[]>(
      'SELECT state FROM segments WHERE project_id = $1 AND id = $2 AND NOT deleted',
      [project.id, id],
    );
    return row?.state.segment ?? segmentNotFound(id);
  }

  /** A page of segments, and how many match. */
  async list(
    context: RequestContext,
    query: SegmentListQuery,
  ): Promise<{ segments: SegmentSnapshot[]; total: number } | SegmentRefusal> {
    const { project } = context;
    const statements = segmentListStatements(project.id, query, {
      today: calendarDayOf(this.clock.now(project), project.timezone),
      zone: project.timezone,
    });
    if (isRefused(statements)) return statements;
    const { rows, total } = await this.lists.page<SegmentRow>(context, statements);
    return { segments: rows.map(({ state }) => state.segment), total };
  }

  /** The segments that a customer, named by id or source id, belongs to; the oldest first, at most as many as lists count.
   *  Filters are tested now. An unknown customer has nothing but that source id. Source: reference 07 §3, §4. */
  async ofCustomer(context: RequestContext, idOrSourceId: string): Promise<SegmentSnapshot[]> {
    const { project } = context;
    const [customer, dynamic] = await Promise.all([
      this.customers.findNamed(project.id, idOrSourceId),
      this.dynamicSegments(project.id),
    ]);
    const id = customer?.state.id ?? '';
    const doc = customer
      ? documentOf(foundSnapshot(customer), await this.blocks.of({ projectId: project.id, id }))
      : { source_id: idOrSourceId };
    const tested = { ...(await this.filterContexts.now(context, 'customer')), segments: dynamic };
    const matches = (await matchingSegments(this.dataSource, tested, [{ id, doc }])).get(id);
    const matching = dynamic.filter((segment) => matches?.has(segment.id));
    const all = [...(await this.staticSegments(context, id)), ...matching];
    return all.sort((a, b) => (`${a.created_at} ${a.id}` < `${b.created_at} ${b.id}` ? -1 : 1));
  }

  private async dynamicSegments(projectId: string): Promise<SegmentSnapshot[]> {
    const rows = await this.dataSource.query<SegmentRow[]>(
      `SELECT state FROM segments WHERE project_id = $1 AND NOT deleted AND type <> 'static'`,
      [projectId],
    );
    return rows.map(({ state }) => state.segment);
  }

  private async staticSegments(context: RequestContext, customerId: string): Promise<SegmentSnapshot[]> {
    const rows = await this.lists.rows<SegmentRow>(context, {
      text: `SELECT t.state FROM segment_members m
        JOIN segments t ON t.project_id = m.project_id AND t.id = m.segment_id AND NOT t.deleted
        WHERE m.project_id = $1 AND m.customer_id = $2 AND t.type = 'static'
        ORDER BY t.created_at, t.id LIMIT ${mostCounted}`,
      values: [context.project.id, customerId],
    });
    return rows.map(({ state }) => state.segment);
  }
}
