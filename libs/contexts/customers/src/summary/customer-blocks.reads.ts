import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { batchLoader } from '@scrip/rpc';
import { lookUp, ofAnyLength } from '@scrip/event-store';
import type { CustomerBlocks } from '@scrip/wire/customers';
import type { DataSource } from 'typeorm';
import { blocksOf, type CustomerSums, sumsOf } from './customer-blocks';

const sumsSql = `
  SELECT q.position::int AS position, ${sumsOf('q', 'customer_id')}
  FROM unnest(${ofAnyLength('$1')}, ${ofAnyLength('$2')}) WITH ORDINALITY AS q(project_id, customer_id, position)
  ORDER BY q.position`;

/** Whose blocks. */
interface Named {
  projectId: string;
  id: string;
}

/** Reads the blocks of customers; reads of the same turn of the event loop share one query. */
@Injectable()
export class CustomerBlocksReads {
  constructor(@InjectDataSource('customers') private readonly dataSource: DataSource) {}

  /** Those of a customer that has no orders and redemptions where there are none. */
  readonly of = batchLoader<Named, CustomerBlocks>(async (names) => {
    const rows = await lookUp<CustomerSums>(this.dataSource, sumsSql, [
      names.map(({ projectId }) => projectId),
      names.map(({ id }) => id),
    ]);
    return rows.map(blocksOf);
  });
}
