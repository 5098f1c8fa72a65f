import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { CustomerSnapshot } from '@scrip/contracts/customers';
import { pageOf } from '@scrip/edge';
import { type Refusal, type RequestContext, isRefused, refuse } from '@scrip/kernel';
import { InjectListReader, type ListReader } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { foundSnapshot } from './customer.handlers';
import { type CustomerRow, CustomerReads } from './customer.reads';
import { type CustomerListQuery, customerListStatements, type ListCursor } from './customer-list.query';
import { CustomerVault } from './customer-vault';

/** A page of customers, and how many match, as far as lists count. */
export interface CustomerPage {
  customers: CustomerSnapshot[];
  total: number;
  hasMore: boolean;
}

/** Lists customers. */
@Injectable()
export class CustomerLists {
  constructor(
    @InjectDataSource('customers') private readonly dataSource: DataSource,
    @InjectListReader('customers') private readonly lists: ListReader,
    private readonly reads: CustomerReads,
    private readonly vault: CustomerVault,
  ) {}

  /** Refuses `invalid_query_params`: parameters that do not go together, a passive segment, and an unknown
   *  `starting_after_id`. Source: reference 07 §1.4, §3. */
  async list(
    context: RequestContext,
    query: CustomerListQuery,
  ): Promise<CustomerPage | Refusal<'invalid_query_params'>> {
    const projectId = context.project.id;
    const hash = (field: string, value: string): string => this.vault.fieldHash(projectId, field, value);
    const refusal = await this.segmentMustBeKept(projectId, query);
    if (refusal) return refusal;
    const cursor = await this.cursorOf(projectId, query);
    if (isRefused(cursor)) return cursor;
    const statements = customerListStatements(projectId, query, { cursor, hash });
    if (isRefused(statements)) return statements;
    const { rows, total } = await this.lists.page<CustomerRow>(context, statements);
    const { items, hasMore } = pageOf(rows, query.limit);
    return { customers: items.map((row) => foundSnapshot(this.reads.opened(row))), total, hasMore };
  }

  /** A segment that does not exist has no customers. */
  private async segmentMustBeKept(
    projectId: string,
    { segment_id }: CustomerListQuery,
  ): Promise<Refusal<'invalid_query_params'> | null> {
    if (segment_id === undefined) return null;
    const passive = await this.dataSource.query<unknown[]>(
      `SELECT FROM segments WHERE project_id = $1 AND id = $2 AND NOT deleted AND type = 'passive'`,
      [projectId, segment_id],
    );
    return passive.length === 0
      ? null
      : refuse(
          'invalid_query_params',
          `Property .segment_id names a passive segment, whose customers are not kept: ${segment_id}`,
        );
  }

  /** A deleted customer still says where it stood, but in the order of source ids. */
  private async cursorOf(
    projectId: string,
    { starting_after_id: id, order }: CustomerListQuery,
  ): Promise<ListCursor | null | Refusal<'invalid_query_params'>> {
    if (id === undefined) return null;
    const [cursor] = await this.dataSource.query<ListCursor[]>(
      `SELECT c.id, c.created_at, c.changed_at, k.source_id FROM customers c
       LEFT JOIN customer_keys k ON k.project_id = c.project_id AND k.customer_id = c.id AND k.listed
       WHERE c.project_id = $1 AND c.id = $2`,
      [projectId, id],
    );
    const isKnown = cursor && (!order.endsWith('source_id') || cursor.source_id !== null);
    return isKnown
      ? cursor
      : refuse('invalid_query_params', `Property .starting_after_id names no customer of the list: ${id}`);
  }
}
