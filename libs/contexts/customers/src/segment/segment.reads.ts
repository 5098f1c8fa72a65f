import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { SegmentSnapshot } from '@scrip/contracts/customers';
import { type RequestContext, isRefused } from '@scrip/kernel';
import { mostCounted } from '@scrip/list-query';
import { InjectListReader, type ListReader } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { CustomerReads } from '../customer/customer.reads';
import { type SegmentRefusal, type SegmentState, segmentNotFound } from './segment.decider';
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
    const statements = segmentListStatements(context.project.id, query);
    if (isRefused(statements)) return statements;
    const { rows, total } = await this.lists.page<SegmentRow>(context, statements);
    return { segments: rows.map(({ state }) => state.segment), total };
  }

  /** The segments that a customer, named by id or source id, belongs to; the oldest first, at most as many as lists count.
   *  An unknown customer belongs to none. Source: reference 07 §3. */
  async ofCustomer(context: RequestContext, idOrSourceId: string): Promise<SegmentSnapshot[]> {
    const projectId = context.project.id;
    const customer = await this.customers.findNamed(projectId, idOrSourceId);
    if (!customer) return [];
    const rows = await this.lists.rows<SegmentRow>(context, {
      text: `SELECT t.state FROM segment_members m
        JOIN segments t ON t.project_id = m.project_id AND t.id = m.segment_id AND NOT t.deleted
        WHERE m.project_id = $1 AND m.customer_id = $2
        ORDER BY t.created_at, t.id LIMIT ${mostCounted}`,
      values: [projectId, customer.state.id],
    });
    return rows.map(({ state }) => state.segment);
  }
}
