import type {
  CampaignsPort,
  GrantedVoucher,
  RedeemableVoucher,
  VoucherSnapshot,
} from '@scrip/contracts/campaigns';
import type { CatalogItemOverride, CatalogName, CatalogPort, CatalogProduct } from '@scrip/contracts/catalog';
import type {
  Claimed,
  ClaimRequest,
  HoldRequest,
  ObjectVerdict,
  Refunded,
  RefundRequest,
} from '@scrip/contracts/claims';
import type { PromotionsPort, RedeemablePromotion } from '@scrip/contracts/promotions';
import type { CustomerSnapshot, CustomersPort, OrderSnapshot, StoredOrder } from '@scrip/contracts/customers';
import { emptyBlocks } from '@scrip/wire/customers';
import { notFound, refuse } from '@scrip/kernel';
import { undoRedemption } from '@scrip/order-calculation';
import { quantityAllows } from '@scrip/vouchers';

type ClaimState = 'PROVISIONAL' | 'CONFIRMED' | 'REVERTED' | 'REFUNDED';

interface Claim {
  redemption_id: string;
  object_id: string;
  state: ClaimState;
}

const abandoned = (claimId: string) => refuse('claim_abandoned', claimId);

const copied = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

type ClaimedVoucher = Claimed<GrantedVoucher, RedeemableVoucher>;

/** The claims of one owner, as the architecture describes them, in memory. */
export class FakeClaims {
  readonly rows = new Map<string, Claim>();

  count(state: ClaimState): number {
    return [...this.rows.values()].filter((claim) => claim.state === state).length;
  }

  settle(verdicts: readonly ObjectVerdict[]): Claim[] {
    const reverted: Claim[] = [];
    for (const { claim_id, redemption_id, object_id, verdict } of verdicts) {
      const row = this.rows.get(claim_id);
      if (row && row.state !== 'PROVISIONAL') continue;
      const confirmed = verdict === 'RECORDED';
      if (row && !confirmed) reverted.push(row);
      this.rows.set(claim_id, { redemption_id, object_id, state: confirmed ? 'CONFIRMED' : 'REVERTED' });
    }
    return reverted;
  }
}

/** Vouchers with uses to claim. */
export class FakeCampaigns implements CampaignsPort {
  readonly claims = new FakeClaims();
  readonly vouchers = new Map<string, RedeemableVoucher>();

  add(...vouchers: RedeemableVoucher[]): void {
    for (const found of vouchers) this.vouchers.set(found.voucher.id, found);
  }

  redeemed(code: string): number {
    return this.find(code)!.voucher.redemption.redeemed_quantity;
  }

  listBinEntries: CampaignsPort['listBinEntries'] = async () => [];

  purgeBinEntry: CampaignsPort['purgeBinEntry'] = async (_, { id }) => refuse('not_found', id);

  checkExport: CampaignsPort['checkExport'] = async () => ({ fits: true });

  writeExport: CampaignsPort['writeExport'] = async () => ({ rows: 0 });

  chooseCategory: CampaignsPort['chooseCategory'] = async () => ({ category: null });

  loadCategories: CampaignsPort['loadCategories'] = async () => ({ categories: [] });

  /** Ids of what does not exist and never will. */
  readonly gone = new Set<string>();

  resolveRuledObjects: CampaignsPort['resolveRuledObjects'] = async (_, { objects }) => ({
    gone: objects.flatMap(({ id }) => (this.gone.has(id) ? [id] : [])),
  });

  loadCampaigns: CampaignsPort['loadCampaigns'] = async (_, { campaigns }) =>
    campaigns.map((named) => {
      const all = [...this.vouchers.values()].flatMap(({ campaign }) => campaign ?? []);
      return all.find(({ id, name }) => id === named || name === named) ?? null;
    });

  loadQualifying: CampaignsPort['loadQualifying'] = async (_, { objects }) => {
    const all = [...this.vouchers.values()];
    const known = new Map(
      all.flatMap(({ campaign }) => (campaign ? [[campaign.id, campaign] as const] : [])),
    );
    return copied(
      objects.map(({ type, id }) => {
        if (type === 'voucher') {
          const found = this.vouchers.get(id);
          return found ? this.asSeenBy(found) : null;
        }
        const campaign = known.get(id);
        return campaign ? { campaign } : null;
      }),
    );
  };

  listHeld: CampaignsPort['listHeld'] = async () => ({ held: [], next: null });

  load: CampaignsPort['load'] = async (_, { objects, session }) =>
    copied(
      objects.map((named) => {
        const found = this.find(named);
        return found ? this.asSeenBy(found, session) : refuse('not_found', named);
      }),
    );

  /** What sessions hold, by voucher and session. Nothing expires here. */
  readonly holds = new Map<string, Map<string, HoldRequest>>();

  hold: CampaignsPort['hold'] = async (_, request) => {
    const { session, objects } = request;
    const refused = objects.flatMap(({ object_id }) => {
      const found = this.asSeenBy(this.vouchers.get(object_id)!, session);
      const refusal = quantityAllows(found.voucher, found.held?.uses);
      return refusal ? [{ object_id, refusal, facts: copied(found) }] : [];
    });
    if (refused.length > 0) return { refused };
    for (const held of this.holds.values()) held.delete(session);
    for (const { object_id } of objects)
      this.holds.set(object_id, (this.holds.get(object_id) ?? new Map()).set(session, request));
    return { refused };
  };

  private asSeenBy(found: RedeemableVoucher, session?: string): RedeemableVoucher {
    const others = [...(this.holds.get(found.voucher.id) ?? [])].filter(([key]) => key !== session);
    const credits = others.flatMap(([, { objects }]) =>
      objects.flatMap(({ object_id, asks }) => (object_id === found.voucher.id ? (asks.credits ?? 0) : [])),
    );
    const held = { uses: others.length, credits: credits.reduce((sum, one) => sum + one, 0) };
    return others.length > 0 ? { ...found, held } : found;
  }

  claim: CampaignsPort['claim'] = async (_, { redemption_id, claims }) =>
    claims.map(({ claim_id, object_id, asks, replaces = [] }): ClaimedVoucher => {
      const found = this.asSeenBy(this.vouchers.get(object_id)!, asks.hold?.session);
      this.revert(replaces.map((replaced) => ({ redemption_id, claim_id: replaced, object_id })));
      if (this.claims.rows.get(claim_id)?.state === 'REVERTED')
        return { claim_id, refusal: abandoned(claim_id), facts: null };
      const refusal = quantityAllows(found.voucher, found.held?.uses);
      if (refusal) return { claim_id, refusal, facts: copied(found) };
      const hold = this.holds.get(object_id)?.delete(asks.hold?.session ?? '');
      this.claims.rows.set(claim_id, { redemption_id, object_id, state: 'PROVISIONAL' });
      this.change(object_id, 1);
      return {
        claim_id,
        granted: { voucher: copied(found.voucher), ...(hold ? { hold: true as const } : {}) },
      };
    });

  settle: CampaignsPort['settle'] = async (_, { verdicts }) => {
    for (const { object_id } of this.claims.settle(verdicts)) this.change(object_id, -1);
    return null;
  };

  refund: CampaignsPort['refund'] = async (_, { claims }) =>
    claims.map(({ claim_id, object_id }): Refunded<{ voucher: VoucherSnapshot }> => {
      const row = this.claims.rows.get(claim_id);
      if (row?.state !== 'CONFIRMED' && row?.state !== 'REFUNDED')
        return { claim_id, refusal: abandoned(claim_id) };
      if (row.state === 'CONFIRMED') this.change(object_id, -1);
      row.state = 'REFUNDED';
      return { claim_id, granted: { voucher: copied(this.vouchers.get(object_id)!.voucher) } };
    });

  loadAsyncAction: CampaignsPort['loadAsyncAction'] = async (_, { id }) => refuse('not_found', id);

  readTaskReport: CampaignsPort['readTaskReport'] = async (_, { id }) => refuse('not_found', id);

  loadPromotion: CampaignsPort['loadPromotion'] = async (_, { campaign }) => refuse('not_found', campaign);

  private find(named: string): RedeemableVoucher | undefined {
    return (
      this.vouchers.get(named) ?? [...this.vouchers.values()].find(({ voucher }) => voucher.code === named)
    );
  }

  private revert(claims: Omit<ObjectVerdict, 'verdict'>[]): void {
    const verdicts = claims.map((claim) => ({ ...claim, verdict: 'ABANDONED' as const }));
    void this.settle({} as never, { verdicts });
  }

  private change(voucherId: string, by: number): void {
    this.vouchers.get(voucherId)!.voucher.redemption.redeemed_quantity += by;
  }
}

/** Tiers and stacks by their ids. */
export class FakePromotions implements Pick<PromotionsPort, 'load'> {
  readonly promotions = new Map<string, RedeemablePromotion>();

  add(...promotions: RedeemablePromotion[]): void {
    for (const one of promotions)
      this.promotions.set('promotion_stack' in one ? one.promotion_stack.id : one.promotion_tier.id, one);
  }

  load: PromotionsPort['load'] = async (_, { objects }) =>
    copied(objects.map((id) => this.promotions.get(id) ?? refuse('not_found', id)));
}

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

  resolve: CustomersPort['resolve'] = async (_, { customer, store, new_id }) => {
    const known =
      customer.id === undefined
        ? [...this.customers.values()].find(({ source_id }) => source_id === customer.source_id)
        : this.customers.get(customer.id);
    if (!known && customer.id !== undefined) {
      return notFound('customer', customer.id);
    }
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

/** Products by source id or id, and how they were asked for. */
export class FakeCatalog implements Pick<CatalogPort, 'resolveItems' | 'overrideItems' | 'matchCollections'> {
  readonly products = new Map<string, CatalogProduct>();
  /** Ids of products by the collections that hold them. */
  readonly collections = new Map<string, ReadonlySet<string>>();
  readonly calls: string[] = [];

  add(product: Pick<CatalogProduct, 'source_id'> & Partial<CatalogProduct>): void {
    const id = product.id ?? `prod_${product.source_id}`;
    this.products.set(id, { id, name: null, price: null, metadata: {}, ...product });
  }

  resolveItems: CatalogPort['resolveItems'] = async (_, { items }) => {
    this.calls.push('resolveItems');
    return items.map(({ product }) => ({ product: this.named(product), sku: null }));
  };

  overrideItems: CatalogPort['overrideItems'] = async (_, { items }) => {
    this.calls.push('overrideItems');
    for (const { product } of items) this.override(product);
    return items.map(({ product }) => ({ product: this.named(product), sku: null }));
  };

  matchCollections: CatalogPort['matchCollections'] = async (_, { items, collection_ids }) => {
    this.calls.push(`matchCollections ${collection_ids.join()}`);
    return items.map(({ product }) => {
      const id = this.named(product)?.id ?? '';
      return { product: collection_ids.filter((one) => this.collections.get(one)?.has(id)), sku: [] };
    });
  };

  private override(product: CatalogItemOverride['product']): void {
    if (!product?.override || !product.source_id) return;
    this.add({ ...this.named(product), source_id: product.source_id, ...product.fields });
  }

  private named(name: CatalogName | null | undefined): CatalogProduct | null {
    const all = [...this.products.values()];
    return all.find(({ id, source_id }) => id === name?.id || source_id === name?.source_id) ?? null;
  }
}
