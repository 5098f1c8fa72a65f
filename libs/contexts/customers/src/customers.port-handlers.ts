import { Injectable } from '@nestjs/common';
import type { CustomerSnapshot, CustomersPort } from '@scrip/contracts/customers';
import { ContextExports } from '@scrip/exports';
import { isRefused } from '@scrip/kernel';
import { ItemTasks } from '@scrip/tasks';
import { CustomerHandlers } from './customer/customer.handlers';
import { UpsertCustomers } from './customer/upsert-customers';
import { OrderClaims } from './order/order-claims';
import { OrderReads } from './order/order.reads';
import { SegmentLocations } from './segment/segment-locations';
import { RestoreSegments } from './segment/restore-segments';
import { SegmentReads } from './segment/segment.reads';
import { CustomerBlocksReads } from './summary/customer-blocks.reads';
import { CustomersWithBlocks } from './summary/customers-with-blocks.reads';

/** What other contexts ask of customers. Source: architecture §7, §8. */
@Injectable()
export class CustomersPortHandlers implements CustomersPort {
  constructor(
    private readonly customers: CustomerHandlers,
    private readonly upserts: UpsertCustomers,
    private readonly orders: OrderReads,
    private readonly claims: OrderClaims,
    private readonly tasks: ItemTasks,
    private readonly exports: ContextExports,
    private readonly locations: SegmentLocations,
    private readonly blocks: CustomerBlocksReads,
    private readonly withBlocks: CustomersWithBlocks,
    private readonly segments: SegmentReads,
    private readonly restoring: RestoreSegments,
  ) {}

  refersToLocation: CustomersPort['refersToLocation'] = (context, request) =>
    this.locations.refers(context, request);

  retestLocation: CustomersPort['retestLocation'] = (context, request) =>
    this.locations.retest(context, request);

  resolve: CustomersPort['resolve'] = (context, request) => this.customers.resolve(context, request);

  resolveAll: CustomersPort['resolveAll'] = async (context, { customers, store }) => {
    if (store) return this.upserts.upsertAll(context, customers);
    const resolved = await Promise.all(
      customers.map((one) => this.customers.resolve(context, { ...one, store })),
    );
    const found: CustomerSnapshot[] = [];
    for (const one of resolved) {
      if (isRefused(one)) return one;
      found.push(one);
    }
    return found;
  };

  loadCustomers: CustomersPort['loadCustomers'] = (context, request) =>
    this.customers.loadMany(context, request);

  findWithBlocks: CustomersPort['findWithBlocks'] = (context, request) =>
    this.withBlocks.find(context, request);

  loadBlocks: CustomersPort['loadBlocks'] = ({ project }, { ids }) =>
    Promise.all(ids.map((id) => this.blocks.of({ projectId: project.id, id })));

  matchSegments: CustomersPort['matchSegments'] = async (context, request) => ({
    segment_ids: await this.segments.matching(context, request),
  });

  keepSegments: CustomersPort['keepSegments'] = (context, { ids }) => this.restoring.keep(context, ids);

  restoreSegments: CustomersPort['restoreSegments'] = async (context, request) =>
    (await this.restoring.restore(context, request)) as Awaited<ReturnType<CustomersPort['restoreSegments']>>;

  loadOrder: CustomersPort['loadOrder'] = (context, { settle = false, ...named }) =>
    settle ? this.claims.loadSettled(context, named) : this.orders.load(context, named);

  loadOrders: CustomersPort['loadOrders'] = (context, { ids }) => this.orders.loadMany(context, ids);

  load: CustomersPort['load'] = (context, request) => this.claims.load(context, request);

  claim: CustomersPort['claim'] = (context, request) => this.claims.claim(context, request);

  settle: CustomersPort['settle'] = (context, request) => this.claims.settle(context, request);

  loadAsyncAction: CustomersPort['loadAsyncAction'] = (context, { id }) => this.tasks.find(context, id);

  readTaskReport: CustomersPort['readTaskReport'] = (context, request) => this.tasks.report(context, request);

  refund: CustomersPort['refund'] = (context, request) => this.claims.refund(context, request);

  checkExport: CustomersPort['checkExport'] = (context, request) => this.exports.check(context, request);

  writeExport: CustomersPort['writeExport'] = (context, request) => this.exports.write(context, request);
}
