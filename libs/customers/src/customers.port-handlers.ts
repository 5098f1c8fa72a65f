import { Injectable } from '@nestjs/common';
import type { CustomersPort } from '@scrip/contracts';
import type { RequestContext } from '@scrip/kernel';
import { CustomerHandlers } from './customer/customer.handlers';
import { OrderClaimHandlers } from './order/order-claims.handlers';
import { OrderReader } from './order/order-reader';
import { OrderRefundHandlers } from './order/order-refund.handlers';
import { OrderVerdicts } from './order/order-verdicts';

type Request<Method extends keyof CustomersPort> = Parameters<CustomersPort[Method]>[1];

/** Answers the port of the context. */
@Injectable()
export class CustomersPortHandlers implements CustomersPort {
  constructor(
    private readonly customers: CustomerHandlers,
    private readonly orders: OrderReader,
    private readonly claims: OrderClaimHandlers,
    private readonly verdicts: OrderVerdicts,
    private readonly refunds: OrderRefundHandlers,
  ) {}

  resolve(context: RequestContext, request: Request<'resolve'>) {
    return this.customers.resolve(context, request);
  }

  loadCustomers(context: RequestContext, { ids }: Request<'loadCustomers'>) {
    return this.customers.loadMany(context, ids);
  }

  loadOrder(context: RequestContext, request: Request<'loadOrder'>) {
    return this.orders.load(context, request);
  }

  loadOrders(context: RequestContext, { ids }: Request<'loadOrders'>) {
    return this.orders.loadMany(context, ids);
  }

  claimOrder(context: RequestContext, request: Request<'claimOrder'>) {
    return this.claims.claim(context, request);
  }

  async settle(context: RequestContext, { outcomes, claims }: Request<'settle'>): Promise<null> {
    await this.verdicts.carryOut(
      outcomes,
      claims.map((claim) => ({ ...claim, project_id: context.project.id })),
    );
    return null;
  }

  refundOrder(context: RequestContext, request: Request<'refundOrder'>) {
    return this.refunds.refund(context, request);
  }
}
