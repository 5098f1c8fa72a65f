import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type CustomerSnapshot, type CustomersPort, customersPort } from '@scrip/contracts/customers';
import type { RedemptionEvent, RedemptionSnapshot } from '@scrip/contracts/qualification';
import { type AggregateStore, type EventStore, InjectEventStore } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import type { DataSource } from 'typeorm';
import { type RedemptionState, redemptionAggregate } from './redemption.aggregate';

/** Reads redemptions and rollbacks of one project with what belongs to them. */
@Injectable()
export class RedemptionReads {
  readonly store: AggregateStore<RedemptionState, RedemptionEvent>;

  constructor(
    @InjectDataSource('qualification') private readonly dataSource: DataSource,
    @InjectEventStore('qualification') events: EventStore,
    @InjectPort(customersPort) private readonly customers: CustomersPort,
  ) {
    this.store = events.aggregate(redemptionAggregate);
  }

  async redemption({ project }: RequestContext, id: string): Promise<RedemptionState | null> {
    return (await this.store.load(project.id, id))?.state ?? null;
  }

  async redemptions({ project }: RequestContext, ids: readonly string[]): Promise<RedemptionState[]> {
    const found = await this.store.loadMany(project.id, ids);
    return ids.flatMap((id) => found.get(id)?.state ?? []);
  }

  /** A rollback (`rr_`) or a failed one (`rrf_`). */
  async rollback({ project }: RequestContext, id: string): Promise<RedemptionSnapshot | null> {
    const [row] = await this.dataSource.query<{ state: RedemptionSnapshot }[]>(
      'SELECT state FROM rollbacks WHERE project_id = $1 AND id = $2',
      [project.id, id],
    );
    return row?.state ?? null;
  }

  /** The customers of these entries by id. */
  async customersOf(
    context: RequestContext,
    entries: readonly RedemptionSnapshot[],
  ): Promise<Map<string, CustomerSnapshot>> {
    const ids = [...new Set(entries.flatMap(({ customer_id }) => customer_id ?? []))];
    if (ids.length === 0) return new Map();
    const customers = await this.customers.loadCustomers(context, { ids });
    return new Map(customers.map((customer) => [customer.id, customer]));
  }

  async customerOf(context: RequestContext, entry: RedemptionSnapshot): Promise<CustomerSnapshot | null> {
    return (await this.customersOf(context, [entry])).get(entry.customer_id ?? '') ?? null;
  }
}
