import { Injectable } from '@nestjs/common';
import type { CustomersPort } from '@scrip/contracts/customers';
import { ContextExports } from '@scrip/exports';
import { ItemTasks } from '@scrip/tasks';
import { CustomerHandlers } from './customer/customer.handlers';
import { OrderClaims } from './order/order-claims';
import { OrderReads } from './order/order.reads';
import { SegmentLocations } from './segment/segment-locations';

/** What other contexts ask of customers. Source: architecture §7, §8. */
@Injectable()
export class CustomersPortHandlers implements CustomersPort {
  constructor(
    private readonly customers: CustomerHandlers,
    private readonly orders: OrderReads,
    private readonly claims: OrderClaims,
    private readonly tasks: ItemTasks,
    private readonly exports: ContextExports,
    private readonly locations: SegmentLocations,
  ) {}

  refersToLocation: CustomersPort['refersToLocation'] = (context, request) =>
    this.locations.refers(context, request);

  retestLocation: CustomersPort['retestLocation'] = (context, request) =>
    this.locations.retest(context, request);

  resolve: CustomersPort['resolve'] = (context, request) => this.customers.resolve(context, request);

  loadCustomers: CustomersPort['loadCustomers'] = (context, request) =>
    this.customers.loadMany(context, request);

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
