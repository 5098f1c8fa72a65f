import { Injectable } from '@nestjs/common';
import {
  type CatalogItem,
  type CatalogPort,
  catalogPort,
  hasOverrides,
  namedItems,
  storedItemsOf,
} from '@scrip/contracts/catalog';
import { type CustomerSnapshot, type CustomersPort, customersPort } from '@scrip/contracts/customers';
import { type IdSource, type RequestContext, isRefused, refuse } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import { RulesOfObjects } from '../assignment/rules-of-objects';
import type { QualificationRefusal } from '../qualification.refusals';
import {
  type RedeemableRequest,
  type RedeemablesRequest,
  namesOneVoucherTwice,
} from '../request/redeemables-request';
import { RedeemableKinds } from '../participants/redeemable-kinds';
import { type Candidate, type Knowledge, unknown } from './evaluate';
import { formulaFacts } from './formula-facts';
import { namedOrder, provenIdentity } from './order-access';
import { ProjectSettings } from './project-settings';
import { RedeemableLoader } from './redeemable-loader';
import { countingItems, orderMetadata, overwrites, type RequestOrder, requestOrder } from './request-order';
import { RuleInputsLoader } from './rule-inputs';
import { ambiguousIdentity, type TrackingIds, readableCustomer } from '../tracking/tracking-id';
import { InjectTrackingIds } from '../tracking/tracking-id.provider';

/** Everything an evaluation needs to know. */
export interface Prepared {
  customer: CustomerSnapshot | null;
  order: RequestOrder | null;
  candidates: Candidate[];
  knowledge: Knowledge;
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

/** The objects whose rules hold for a candidate: itself and its campaign. Source: reference 02 §4.2. */
const ruledIds = ({ kind, found }: Candidate): string[] => {
  if (!kind || isRefused(found)) return [];
  const { related, campaignId } = kind.describe(found);
  return campaignId === null ? [related.id] : [related.id, campaignId];
};

/** The order of a request before it is calculated with. `found`: the records of sent items that count; null: those of the
 *  stored order count as they are. */
export type LoadedOrder = Pick<RequestOrder, 'sent' | 'stored'> & { found: CatalogItem[] | null };

/** What a request says beside its redeemables. */
export type RequestParties = Pick<RedeemablesRequest, 'customer' | 'order' | 'tracking_id' | 'metadata'>;

/** What of a candidate decides what must be loaded. */
export const demanding = ({ kind, found, rules = [] }: Candidate) => ({
  redeemable: {
    object: 'voucher' as const,
    id: '',
    incentive: kind && !isRefused(found) ? kind.calculable(found, { ownerDecides: false }).incentive : null,
  },
  rules,
});

/** What rules, scopes and formulas know of a request once it is loaded. */
export const knowledgeOf = (
  context: RequestContext,
  request: Pick<RequestParties, 'metadata'>,
  {
    customer,
    order,
    segments,
    catalogue,
  }: Pick<Prepared, 'customer' | 'order'> & {
    segments: readonly string[];
    catalogue: Knowledge['catalogue'];
  },
): Knowledge => ({
  customer: customer && { segments, tiers: [], metadata: customer.metadata },
  redemption: {
    metadata: request.metadata ?? {},
    apiKeyId: context.apiKey?.id ?? null,
    userLogin: context.user?.login ?? null,
  },
  orderMetadata: order ? orderMetadata(order) : {},
  messages: context.project.errorMessages ?? {},
  catalogue,
  facts: formulaFacts(request, customer, order),
});

/** Loads what a request names. Source: reference 03 §3, architecture §8 step 1. */
@Injectable()
export class Preparation {
  constructor(
    @InjectPort(customersPort) private readonly customers: CustomersPort,
    @InjectPort(catalogPort) private readonly catalog: CatalogPort,
    private readonly redeemables: RedeemableLoader,
    private readonly kinds: RedeemableKinds,
    private readonly rules: RulesOfObjects,
    private readonly inputs: RuleInputsLoader,
    private readonly settings: ProjectSettings,
    @InjectTrackingIds() private readonly tracking: TrackingIds,
  ) {}

  /** `store`: the customer is created or updated, whatever becomes of the rest. Refuses more redeemables than the project takes
   *  (`invalid_payload`) before anything is stored, `not_found` for the whole call where a customer or order id is unknown,
   *  `ambiguous_tracking_id`, and `duplicated_redeemables` for a voucher named by code and by id. */
  async prepare(
    context: RequestContext,
    request: RedeemablesRequest,
    ids: IdSource,
    { store }: { store: boolean },
  ): Promise<Prepared | QualificationRefusal> {
    const { redeemables_limit } = await this.settings.stackingOf(context);
    if (request.redeemables.length > redeemables_limit)
      return refuse(
        'invalid_payload',
        `Property .redeemables should NOT have more than ${redeemables_limit} items`,
      );
    const [parties, candidates] = await Promise.all([
      this.partiesOf(context, request, ids, { store }),
      this.candidatesOf(context, request),
    ]);
    if (isRefused(parties)) return parties;
    const { customer, loaded } = parties;
    const vouchers = candidates.flatMap(({ kind, found }) =>
      kind && !isRefused(found) ? kind.describe(found).related.id : [],
    );
    const repeated = namesOneVoucherTwice(vouchers);
    if (repeated) return repeated;
    const { segments, catalogue, lineCollections } = await this.inputs.load(context, {
      candidates: candidates.map(demanding),
      customer,
      lines: loaded ? countingItems(loaded) : [],
      found: loaded ? loaded.found : [],
    });
    const items = { catalogue, ...(lineCollections ? { collections: lineCollections } : {}) };
    const order = loaded && requestOrder(loaded.sent, loaded.stored, items);
    if (isRefused(order)) return order;
    const knowledge = knowledgeOf(context, request, { customer, order, segments, catalogue });
    return { customer, order, candidates, knowledge };
  }

  /** The customer of a request, by itself or by its stored order, and the order before it is calculated with. Refuses
   *  `ambiguous_tracking_id` before anything is stored, then as `prepare`. */
  async partiesOf(
    context: RequestContext,
    request: RequestParties,
    ids: IdSource,
    { store }: { store: boolean },
  ): Promise<{ customer: CustomerSnapshot | null; loaded: LoadedOrder | null } | QualificationRefusal> {
    const ambiguous = ambiguousIdentity(this.tracking, context, request);
    if (ambiguous) return ambiguous;
    const [named, loaded] = await Promise.all([
      this.customerOf(context, request, ids, store),
      this.orderOf(context, request, store),
    ]);
    if (isRefused(named)) return named;
    if (isRefused(loaded)) return loaded;
    return { customer: named ?? (await this.ownerOf(context, loaded)), loaded };
  }

  private async customerOf(
    context: RequestContext,
    { customer }: RequestParties,
    ids: IdSource,
    store: boolean,
  ): Promise<CustomerSnapshot | null | QualificationRefusal> {
    if (!isSomebody(customer, context)) return null;
    const named = readableCustomer(customer, this.tracking, context.project.id);
    return this.customers.resolve(context, { customer: named, store, new_id: ids.next('cust_', 'customer') });
  }

  /** Rules are read after what they are assigned to: an object that was created with rules is never seen without them. */
  private async candidatesOf(
    context: RequestContext,
    { redeemables, session }: RedeemablesRequest,
  ): Promise<Candidate[]> {
    const candidates = await this.loaded(context, redeemables, session?.key ?? null);
    const rules = await this.rules.of(context, candidates.map(ruledIds));
    return candidates.map((candidate, place) => ({ ...candidate, rules: rules[place]! }));
  }

  /** What a request names, stacks as their tiers. */
  private async loaded(
    context: RequestContext,
    redeemables: RedeemablesRequest['redeemables'],
    session: string | null,
  ): Promise<Candidate[]> {
    const loaded = await Promise.all(
      redeemables.map((requested) => this.loadedAs(context, requested, session)),
    );
    return loaded.flat();
  }

  private async loadedAs(
    context: RequestContext,
    requested: RedeemableRequest,
    session: string | null,
  ): Promise<Candidate[]> {
    const kind = this.kinds.of(requested.object);
    if (!kind || !requested.id.startsWith(kind.idPrefix ?? ''))
      return [{ requested, kind: null, found: unknown(requested) }];
    const { participant } = kind;
    const found = await this.redeemables.load({ context, participant, object: requested.id, session });
    if (!('expand' in kind)) return [{ requested, kind, found }];
    if (isRefused(found)) return [{ requested, kind: null, found }];
    return kind.expand(found).map((part) => ({
      requested: { object: part.kind.object, id: part.id },
      kind: part.kind,
      found: part.found,
    }));
  }

  /** Records of sent items are read beside the stored order that they may overwrite. */
  private async orderOf(
    context: RequestContext,
    request: RequestParties,
    store: boolean,
  ): Promise<LoadedOrder | null | QualificationRefusal> {
    const { order: sent } = request;
    if (!sent) return null;
    const items = sent.items ?? [];
    const proven = provenIdentity(request, this.tracking, context.project.id);
    const [stored, found] = await Promise.all([
      namedOrder(this.customers, context, sent, { proven, store }),
      namedItems(this.catalog, context, items),
    ]);
    if (isRefused(stored)) return stored;
    if (!overwrites({ sent, stored }) || !sent.items) return { sent, stored, found: null };
    return {
      sent,
      stored,
      found: store && hasOverrides(items) ? await storedItemsOf(this.catalog, context, items) : found,
    };
  }

  /** No customer is named: a stored order brings its customer along. */
  private async ownerOf(
    context: RequestContext,
    order: LoadedOrder | null,
  ): Promise<CustomerSnapshot | null> {
    const id = order?.stored?.order.customer_id;
    if (!id) return null;
    const [owner] = await this.customers.loadCustomers(context, { ids: [id] });
    return owner ?? null;
  }
}
