import type { ClaimRequest, Claimed, Refunded, RefundRequest } from '@scrip/contracts/claims';
import type { CustomerSnapshot, CustomersPort, OrderSnapshot, StoredOrder } from '@scrip/contracts/customers';
import { notFound, refuse } from '@scrip/kernel';
import { undoRedemption } from '@scrip/order-calculation';
import { emptyBlocks } from '@scrip/wire/customers';
import { abandoned, copied, FakeClaims } from './claims.fixture';

/** Customers, and orders with their claims. A provisional order lives in its claim only. */
export class FakeCustomers implements CustomersPort {
  refersToLocation: CustomersPort['refersToLocation'] = async () => ({ ids: [] });

  retestLocation: CustomersPort['retestLocation'] = async () => ({ begun: 0 });

  readonly claims = new FakeClaims();
  readonly customers = new Map<string, CustomerSnapshot>();
  readonly orders = new Map<string, StoredOrder>();
  private readonly provisional = new Map<string, OrderSnapshot>();

  checkExport: CustomersPort['checkExport'] = async () => ({ fits: true });

  writeExport: CustomersPort['writeExport'] = async () => ({ rows: 0 });

  loadAsyncAction: CustomersPort['loadAsyncAction'] = async (_, { id }) => refuse('not_found', id);

  readTaskReport: CustomersPort['readTaskReport'] = async (_, { id }) => refuse('not_found', id);

  resolveAll: CustomersPort['resolveAll'] = async () => [];

  keepSegments: CustomersPort['keepSegments'] = async () => ({ segments: [] });

  restoreSegments: CustomersPort['restoreSegments'] = async () => ({ renamed: [], created: [] });

  /** Segments by the customers that belong to them. */
  readonly segments = new Map<string, ReadonlySet<string>>();
  readonly matchedSegments: (readonly string[] | null)[] = [];

  matchSegments: CustomersPort['matchSegments'] = async (_, { customer, segment_ids }) => {
    this.matchedSegments.push(segment_ids);
    const ids = [...this.segments].flatMap(([id, members]) => (members.has(customer.id) ? [id] : []));
    return { segment_ids: ids.filter((id) => segment_ids?.includes(id) ?? true) };
  };

  /** Source ids of erased customers. */
  readonly erased = new Set<string>();

  resolve: CustomersPort['resolve'] = async (_, { customer, store, new_id, tracking_id }) => {
    const known =
      customer.id === undefined
        ? [...this.customers.values()].find(({ source_id }) => source_id === customer.source_id)
        : this.customers.get(customer.id);
    if (!known && customer.id !== undefined) {
      return notFound('customer', customer.id);
    }
    if (!known && tracking_id !== undefined && this.erased.has(customer.source_id ?? ''))
      return notFound('customer', tracking_id);
    const merged: CustomerSnapshot = {
      name: null,
      description: null,
      email: null,
      phone: null,
      birthdate: null,
      birthday: null,
      address: null,
      metadata: {},
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: null,
      ...known,
      ...customer,
      id: known?.id ?? (store ? new_id : ''),
      source_id: known?.source_id ?? customer.source_id ?? null,
    };
    if (store) this.customers.set(merged.id, merged);
    return copied(merged);
  };

  loadCustomers: CustomersPort['loadCustomers'] = async (_, { ids }) =>
    ids.flatMap((id) => this.customers.get(id) ?? []);

  findWithBlocks: CustomersPort['findWithBlocks'] = async (_, { name }) => {
    const customer = [...this.customers.values()].find((known) =>
      'id' in name ? known.id === name.id : known.source_id === name.source_id,
    );
    return customer ? { customer: copied(customer), blocks: emptyBlocks() } : null;
  };

  loadBlocks: CustomersPort['loadBlocks'] = async (_, { ids }) => ids.map(() => emptyBlocks());

  loadOrder: CustomersPort['loadOrder'] = async (_, { id, source_id }) => {
    if (id !== undefined) return this.orders.get(id) ?? notFound('order', id);
    return [...this.orders.values()].find(({ order }) => order.source_id === source_id) ?? null;
  };

  loadOrders: CustomersPort['loadOrders'] = async (_, { ids }) =>
    ids.flatMap((id) => this.orders.get(id)?.order ?? []);

  load: CustomersPort['load'] = async (_, { objects }) =>
    objects.map((id) => this.orders.get(id) ?? refuse('not_found', id));

  claim: CustomersPort['claim'] = async (_, { redemption_id, claims }) =>
    claims.map((claim) => this.claimOne(redemption_id, claim));

  private claimOne(
    redemption_id: string,
    { claim_id, replaces = [], asks }: ClaimRequest,
  ): Claimed<{ order: OrderSnapshot }, StoredOrder> {
    const { order, base_version } = asks.order!;
    this.claims.settle(
      replaces.map((replaced) => ({
        redemption_id,
        claim_id: replaced,
        object_id: order.id,
        verdict: 'ABANDONED' as const,
      })),
    );
    if (this.claims.rows.get(claim_id)?.state === 'REVERTED')
      return { claim_id, refusal: abandoned(claim_id), facts: null };
    const held = [...this.claims.rows.values()].some(
      (row) => row.object_id === order.id && row.state === 'PROVISIONAL',
    );
    if (held || (this.orders.get(order.id)?.version ?? null) !== base_version) {
      const facts = this.orders.get(order.id) ?? null;
      return { claim_id, refusal: refuse('multiple_requests', 'The order is in use'), facts };
    }
    this.claims.rows.set(claim_id, { redemption_id, object_id: order.id, state: 'PROVISIONAL' });
    this.provisional.set(claim_id, order);
    return { claim_id, granted: { order } };
  }

  settle: CustomersPort['settle'] = async (_, { verdicts }) => {
    this.claims.settle(verdicts);
    for (const { claim_id } of verdicts) {
      const order = this.provisional.get(claim_id);
      if (!order || this.claims.rows.get(claim_id)?.state !== 'CONFIRMED') continue;
      this.provisional.delete(claim_id);
      this.orders.set(order.id, { order, version: (this.orders.get(order.id)?.version ?? 0) + 1 });
    }
    return null;
  };

  refund: CustomersPort['refund'] = async (_, { claims }) => claims.map((claim) => this.refundOne(claim));

  private refundOne(claim: RefundRequest): Refunded<{ order: OrderSnapshot }> {
    const { claim_id, object_id: order_id, redemption_id, rollback_id } = claim;
    const request = claim.order!;
    const row = this.claims.rows.get(claim_id);
    const stored = this.orders.get(order_id);
    if (!stored || (row?.state !== 'CONFIRMED' && row?.state !== 'REFUNDED')) {
      return { claim_id, refusal: abandoned(claim_id) };
    }
    if (row.state === 'CONFIRMED') {
      const { items, ...totals } = undoRedemption(stored.order, request.difference, {}).order;
      const entry = {
        ...stored.order.redemptions[redemption_id]!,
        rollback_id,
        rollback_date: request.rolled_back_at,
        ...(request.rollback_stacked ? { rollback_stacked: request.rollback_stacked } : {}),
      };
      const {
        discount_amount: _d,
        total_discount_amount: _t,
        applied_discount_amount: _a,
        total_applied_discount_amount: _ta,
        ...rest
      } = stored.order;
      const order: OrderSnapshot = {
        ...rest,
        ...totals,
        items,
        status: request.mode === 'WITH_ORDER' ? 'CANCELED' : stored.order.status,
        redemptions: { ...stored.order.redemptions, [redemption_id]: entry },
      };
      this.orders.set(order_id, { order, version: stored.version + 1 });
    }
    row.state = 'REFUNDED';
    return { claim_id, granted: { order: this.orders.get(order_id)!.order } };
  }
}
