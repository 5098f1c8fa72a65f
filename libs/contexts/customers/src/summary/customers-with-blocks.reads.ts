import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { CustomerSnapshot, CustomersPort } from '@scrip/contracts/customers';
import { lookUp } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import { batchLoader } from '@scrip/rpc';
import type { CustomerBlocks } from '@scrip/wire/customers';
import type { DataSource } from 'typeorm';
import { isLive } from '../customer/customer.decider';
import { foundSnapshot } from '../customer/customer.handlers';
import {
  CustomerReads,
  type CustomerName,
  inPlace,
  type LookupRow,
  lookupSql,
  lookupValues,
} from '../customer/customer.reads';
import { CustomerVault } from '../customer/customer-vault';
import { blocksOf, type CustomerSums, sumsOf } from './customer-blocks';

const withSumsSql = `SELECT f.*, ${sumsOf('f', 'customer_id')} FROM (${lookupSql}) f`;

/** A stored customer and what other facts say of it. */
interface CustomerWithBlocks {
  customer: CustomerSnapshot;
  blocks: CustomerBlocks;
}

/** Finds customers together with their blocks; lookups of the same turn of the event loop share one query. */
@Injectable()
export class CustomersWithBlocks {
  constructor(
    @InjectDataSource('customers') private readonly dataSource: DataSource,
    private readonly reads: CustomerReads,
    private readonly vault: CustomerVault,
  ) {}

  /** See `CustomersPort.findWithBlocks`. */
  find(
    { project: { id: projectId } }: RequestContext,
    { name }: Parameters<CustomersPort['findWithBlocks']>[1],
  ): Promise<CustomerWithBlocks | null> {
    return this.load(
      'id' in name
        ? { projectId, id: name.id }
        : { projectId, sourceHash: this.vault.sourceHash(projectId, name.source_id) },
    );
  }

  private readonly load = batchLoader<CustomerName, CustomerWithBlocks | null>(async (names) => {
    const rows = await lookUp<LookupRow & CustomerSums>(this.dataSource, withSumsSql, lookupValues(names));
    return inPlace(names, rows).map((row) => {
      if (!row || !isLive(row.state)) return null;
      return { customer: foundSnapshot(this.reads.opened(row)), blocks: blocksOf(row) };
    });
  });
}
