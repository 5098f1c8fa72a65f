import { Injectable } from '@nestjs/common';
import {
  type CatalogPort,
  catalogPort,
  hasOverrides,
  namedItems,
  storedItemsOf,
} from '@scrip/contracts/catalog';
import {
  type CustomerSnapshot,
  type CustomersPort,
  customersPort,
  storedUnder,
} from '@scrip/contracts/customers';
import { type IdSource, type RequestContext, isRefused, refuse } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import { RulesOfObjects } from '../assignment/rules-of-objects';
import type { QualificationRefusal } from '../qualification.refusals';
import {
  type RedeemableRequest,
  type RedeemablesRequest,
  type RequestParties,
  namesOneVoucherTwice,
} from '../request/redeemables-request';
import { RedeemableKinds } from '../participants/redeemable-kinds';
import { type Candidate, type EvaluatedRequest, type Knowledge, unknownRedeemable } from './evaluate';
import { namedOrder } from './order-access';
import { ProjectSettings } from './project-settings';
import { RedeemableLoader } from './redeemable-loader';
import { RequestKnowledge } from './request-knowledge';
import { type LoadedOrder, overwrites, type RequestOrder } from './request-order';
import { ambiguousIdentity, provenIdentity, readableCustomer } from '../tracking/identity-of-request';
import type { TrackingIds } from '@scrip/wire/qualification';
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

/** The request as it is evaluated at `now`. `usesAreClaimed`: see `Conditions`. */
export const evaluatedRequest = (
  { project: { timezone } }: RequestContext,
  { candidates, order, knowledge, customer }: Prepared,
  conditions: Pick<EvaluatedRequest, 'settings' | 'now' | 'usesAreClaimed'>,
): EvaluatedRequest => ({
  candidates,
  order: order && order.state,
  knowledge,
  timezone,
  customerId: customer && customer.id,
  ...conditions,
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
    private readonly knowledge: RequestKnowledge,
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
    const known = await this.knowledge.of(context, { request, customer, loaded, candidates });
    return isRefused(known) ? known : { customer, candidates, ...known };
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
    return this.customers.resolve(context, {
      ...{ customer: named, store, ...storedUnder(ids) },
      ...(customer.source_id && named.source_id !== customer.source_id
        ? { tracking_id: customer.source_id }
        : {}),
    });
  }

  /** Rules are read after what they are assigned to: an object that was created with rules is never seen without them. */
  private async candidatesOf(
    context: RequestContext,
    { redeemables, session }: RedeemablesRequest,
  ): Promise<Candidate[]> {
    const key = session?.key ?? null;
    const loaded = await Promise.all(redeemables.map((requested) => this.loaded(context, requested, key)));
    const candidates = loaded.flat();
    const rules = await this.rules.of(context, candidates.map(ruledIds));
    return candidates.map((candidate, place) => ({ ...candidate, rules: rules[place]! }));
  }

  /** What one redeemable stands for: a stack for its tiers, others for themselves. */
  private async loaded(
    context: RequestContext,
    requested: RedeemableRequest,
    session: string | null,
  ): Promise<Candidate[]> {
    const kind = this.kinds.of(requested.object);
    if (!kind || !requested.id.startsWith(kind.idPrefix ?? ''))
      return [{ requested, kind: null, found: unknownRedeemable(requested) }];
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
