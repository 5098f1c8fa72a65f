import { Injectable } from '@nestjs/common';
import {
  type CatalogPort,
  catalogPort,
  hasOverrides,
  namedCatalogue,
  storedCatalogue,
} from '@scrip/contracts/catalog';
import { type CustomerSnapshot, type CustomersPort, customersPort } from '@scrip/contracts/customers';
import { type IdSource, type RequestContext, isRefused } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import type { QualificationRefusal } from '../qualification.refusals';
import { type RedeemablesRequest, namesOneVoucherTwice } from '../request/redeemables-request';
import { RedeemableKinds } from '../participants/redeemable-kinds';
import { type Candidate, unknownKind } from './evaluate';
import { namedOrder, provenIdentity } from './order-access';
import { RedeemableLoader } from './redeemable-loader';
import { overwrites, type RequestOrder, requestOrder } from './request-order';
import { type TrackingIds, readableCustomer } from './tracking-id';
import { InjectTrackingIds } from './tracking-id.provider';

/** Everything an evaluation needs to know. */
export interface Prepared {
  customer: CustomerSnapshot | null;
  order: RequestOrder | null;
  candidates: Candidate[];
}

type Somebody = NonNullable<RedeemablesRequest['customer']>;

/** Where attributes do not count, a customer without id and source id is none: each call would store a useless new one. */
const isSomebody = (
  customer: RedeemablesRequest['customer'],
  { inlineCustomersOnlyIdentify }: RequestContext,
): customer is Somebody =>
  customer !== undefined &&
  (inlineCustomersOnlyIdentify
    ? Boolean(customer.id || customer.source_id)
    : Object.keys(customer).length > 0);

/** Loads what a request names. Source: reference 03 §3, architecture §8 step 1. */
@Injectable()
export class Preparation {
  constructor(
    @InjectPort(customersPort) private readonly customers: CustomersPort,
    @InjectPort(catalogPort) private readonly catalog: CatalogPort,
    private readonly redeemables: RedeemableLoader,
    private readonly kinds: RedeemableKinds,
    @InjectTrackingIds() private readonly tracking: TrackingIds,
  ) {}

  /** `store`: the customer is created or updated, whatever becomes of the rest. Refuses `not_found` for the whole call
   *  where a customer or order id is unknown, and `duplicated_redeemables` for a voucher named by code and by id. */
  async prepare(
    context: RequestContext,
    request: RedeemablesRequest,
    ids: IdSource,
    { store }: { store: boolean },
  ): Promise<Prepared | QualificationRefusal> {
    const [customer, order, candidates] = await Promise.all([
      this.customerOf(context, request, ids, store),
      this.orderOf(context, request, store),
      this.candidatesOf(context, request),
    ]);
    if (isRefused(customer)) return customer;
    if (isRefused(order)) return order;
    const vouchers = candidates.flatMap(({ kind, found }) =>
      kind && !isRefused(found) ? kind.describe(found).related.id : [],
    );
    const owner = customer ?? (await this.ownerOf(context, order));
    return namesOneVoucherTwice(vouchers) ?? { customer: owner, order, candidates };
  }

  private async customerOf(
    context: RequestContext,
    { customer }: RedeemablesRequest,
    ids: IdSource,
    store: boolean,
  ): Promise<CustomerSnapshot | null | QualificationRefusal> {
    if (!isSomebody(customer, context)) return null;
    const named = readableCustomer(customer, this.tracking, context.project.id);
    return this.customers.resolve(context, { customer: named, store, new_id: ids.next('cust_', 'customer') });
  }

  private candidatesOf(context: RequestContext, { redeemables }: RedeemablesRequest): Promise<Candidate[]> {
    return Promise.all(
      redeemables.map(async (requested) => {
        const kind = this.kinds.of(requested.object);
        const found = kind
          ? await this.redeemables.load({ context, participant: kind.participant, object: requested.id })
          : unknownKind(requested);
        return { requested, kind, found };
      }),
    );
  }

  private async orderOf(
    context: RequestContext,
    request: RedeemablesRequest,
    store: boolean,
  ): Promise<RequestOrder | null | QualificationRefusal> {
    const { order } = request;
    if (!order) return null;
    const items = order.items ?? [];
    const proven = provenIdentity(request, this.tracking, context.project.id);
    const [stored, catalogue] = await Promise.all([
      namedOrder(this.customers, context, order, { proven, store }),
      namedCatalogue(this.catalog, context, items),
    ]);
    if (isRefused(stored)) return stored;
    const overrides = store && overwrites({ sent: order, stored }) && hasOverrides(items);
    return requestOrder(
      order,
      stored,
      overrides ? await storedCatalogue(this.catalog, context, items) : catalogue,
    );
  }

  /** No customer is named: a stored order brings its customer along. */
  private async ownerOf(
    context: RequestContext,
    order: RequestOrder | null,
  ): Promise<CustomerSnapshot | null> {
    const id = order?.stored?.order.customer_id;
    if (!id) return null;
    const [owner] = await this.customers.loadCustomers(context, { ids: [id] });
    return owner ?? null;
  }
}
