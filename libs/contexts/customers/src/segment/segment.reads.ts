import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { CustomerSnapshot, SegmentSnapshot } from '@scrip/contracts/customers';
import { type BusinessClock, type RequestContext, calendarDayOf, isRefused } from '@scrip/kernel';
import { countedMax } from '@scrip/list-query';
import { InjectBusinessClock, InjectListReader, type ListReader } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { foundSnapshot } from '../customer/customer.handlers';
import { CustomerReads } from '../customer/customer.reads';
import { CustomerBlocksReads } from '../summary/customer-blocks.reads';
import { emptyBlocks } from '@scrip/wire/customers';
import { type SegmentRefusal, type SegmentState, segmentNotFound } from './segment.decider';
import { documentOf, type SegmentDocument } from './segment-filter';
import { FilterContexts } from '@scrip/metadata';
import { type Candidate, matchingSegments } from './segment-matching';
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
    const doc = customer ? await this.shown(context, foundSnapshot(customer)) : { source_id: idOrSourceId };
    const matching = await this.matchingOf(context, { id, doc }, dynamic);
    const all = [...(await this.staticSegments(context, id)), ...matching];
    return all.sort((a, b) => (`${a.created_at} ${a.id}` < `${b.created_at} ${b.id}` ? -1 : 1));
  }

  /** See `CustomersPort.matchSegments`. */
  async matching(
    context: RequestContext,
    { customer, segment_ids }: { customer: CustomerSnapshot; segment_ids: readonly string[] | null },
  ): Promise<string[]> {
    const { id } = customer;
    const [joined, dynamic] = await Promise.all([
      id === '' ? [] : this.joined(context.project.id, id, segment_ids),
      this.dynamicSegments(context.project.id, segment_ids),
    ]);
    if (dynamic.length === 0) return joined;
    const doc = await this.shown(context, customer);
    const matching = await this.matchingOf(context, { id, doc }, dynamic);
    return [...joined, ...matching.map((segment) => segment.id)];
  }

  /** What filters read of a customer; an empty id: one who is not stored. */
  private async shown({ project }: RequestContext, customer: CustomerSnapshot): Promise<SegmentDocument> {
    const { id } = customer;
    return documentOf(
      customer,
      id === '' ? emptyBlocks() : await this.blocks.of({ projectId: project.id, id }),
    );
  }

  /** Those of the segments whose filters match, tested now. */
  private async matchingOf(
    context: RequestContext,
    candidate: Candidate,
    segments: readonly SegmentSnapshot[],
  ): Promise<SegmentSnapshot[]> {
    const tested = { ...(await this.filterContexts.now(context, 'customer')), segments };
    const matches = (await matchingSegments(this.dataSource, tested, [candidate])).get(candidate.id);
    return segments.filter(({ id }) => matches?.has(id));
  }

  private async joined(
    projectId: string,
    customerId: string,
    segmentIds: readonly string[] | null,
  ): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      `SELECT t.id FROM segment_members m
       JOIN segments t ON t.project_id = m.project_id AND t.id = m.segment_id AND NOT t.deleted AND t.type = 'static'
       WHERE m.project_id = $1 AND m.customer_id = $2 AND ($3::text[] IS NULL OR m.segment_id = ANY($3))`,
      [projectId, customerId, segmentIds],
    );
    return rows.map(({ id }) => id);
  }

  private async dynamicSegments(
    projectId: string,
    segmentIds: readonly string[] | null = null,
  ): Promise<SegmentSnapshot[]> {
    const rows = await this.dataSource.query<SegmentRow[]>(
      `SELECT state FROM segments
       WHERE project_id = $1 AND NOT deleted AND type <> 'static' AND ($2::text[] IS NULL OR id = ANY($2))`,
      [projectId, segmentIds],
    );
    return rows.map(({ state }) => state.segment);
  }

  private async staticSegments(context: RequestContext, customerId: string): Promise<SegmentSnapshot[]> {
    const rows = await this.lists.rows<SegmentRow>(context, {
      text: `SELECT t.state FROM segment_members m
        JOIN segments t ON t.project_id = m.project_id AND t.id = m.segment_id AND NOT t.deleted
        WHERE m.project_id = $1 AND m.customer_id = $2 AND t.type = 'static'
        ORDER BY t.created_at, t.id LIMIT ${countedMax}`,
      values: [context.project.id, customerId],
    });
    return rows.map(({ state }) => state.segment);
  }
}
