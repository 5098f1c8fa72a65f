import { Injectable } from '@nestjs/common';
import type { CustomerSnapshot } from '@scrip/contracts/customers';
import type { RequestContext } from '@scrip/kernel';
import { isFromBrowser } from '@scrip/kernel';
import type { CalculatedOrder, StackingSettings } from '@scrip/order-calculation';
import type { Qualified } from '@scrip/order-preview';
import { renderOrder } from '@scrip/wire/customers';
import { AssignmentReads } from '../assignment/assignment.reads';
import type { RequestOrder } from '../evaluation/request-order';
import { orderWithoutCustomer } from '../rendering/shown-to-browsers';
import { expandedCategories, renderStackingRules } from '../rendering/stacking-rules';
import { identityOfRequest } from '../tracking/identity-of-request';
import type { TrackingIds } from '@scrip/wire/qualification';
import { InjectTrackingIds } from '../tracking/tracking-id.provider';
import { shownOrder } from '../rendering/shown-order';
import { cursorText } from './cursor';
import type { QualifiedCandidate } from './judge';
import type { ShownFields } from './loaded-candidate';
import { type AssignmentsByObject, assignmentsOf, listsByObject } from './qualified-assignments';
import type { Paged } from './qualification-page';
import type { QualificationCall } from './qualification-request';
import type {
  ExpandedQualifiedResponse,
  QualificationResponse,
  QualifiedPartResponse,
  QualifiedResponse,
} from './qualification.wire';

/** What an answer is made of. */
export interface Rendered extends Paged<QualifiedCandidate> {
  readonly customer: CustomerSnapshot | null;
  readonly order: RequestOrder | null;
  readonly settings: StackingSettings;
}

/** How the parts of one answer are shown. */
interface Showing {
  readonly call: QualificationCall;
  readonly settings: StackingSettings;
  readonly isBrowser: boolean;
  readonly assignments: AssignmentsByObject;
  readonly show: (order: CalculatedOrder | null) => { order?: ReturnType<typeof renderOrder> };
}

/** Notes of the shop on tiers are nothing for browsers (ADR 124). */
const metadataOf = ({ metadata }: ShownFields, isTier: boolean, isBrowser: boolean): object =>
  isTier && isBrowser ? {} : metadata;

const expandedFields = (shown: ShownFields, isTier: boolean, { call, settings, isBrowser }: Showing) => ({
  ...(call.expand.has('redeemable')
    ? {
        metadata: metadataOf(shown, isTier, isBrowser),
        ...(shown.name === undefined ? {} : { name: shown.name }),
        ...(shown.banner ? { banner: shown.banner } : {}),
        ...(shown.campaignName === null ? {} : { campaign_name: shown.campaignName }),
        ...(shown.campaignId === null ? {} : { campaign_id: shown.campaignId }),
      }
    : {}),
  ...(call.expand.has('category') ? { categories: expandedCategories(shown.categories, settings) } : {}),
});

const lockedCredits = ({ candidate: { redeemable } }: Qualified): number =>
  redeemable.incentive && 'gift' in redeemable.incentive ? (redeemable.incentive.gift.locked ?? 0) : 0;

const resultOf = (part: Qualified, { call }: Showing): object => {
  const { result } = part;
  if (!result.gift || !call.locks) return result;
  return { ...result, gift: { ...result.gift, locked_credits: lockedCredits(part) } };
};

const rulesShown = (
  objects: readonly string[],
  parts: readonly Qualified[],
  { call, assignments }: Showing,
): ExpandedQualifiedResponse =>
  call.expand.has('validation_rules')
    ? {
        validation_rules_assignments: assignmentsOf(
          assignments,
          objects,
          parts.flatMap(({ rules }) => rules),
        ),
      }
    : {};

const renderPart = (part: Qualified, { loaded }: QualifiedCandidate, how: Showing): QualifiedPartResponse => {
  const { id } = part.candidate.redeemable;
  const index = loaded.parts.findIndex(({ requested }) => requested.id === id);
  const tier = loaded.tiers?.[index];
  return {
    id,
    object: 'promotion_tier',
    created_at: tier?.place.created_at ?? loaded.place.created_at,
    ...how.show(part.order),
    applicable_to: part.applicable_to,
    inapplicable_to: part.inapplicable_to,
    result: resultOf(part, how),
    ...(tier ? expandedFields(tier.shown, true, how) : {}),
    ...rulesShown(loaded.ruled[index] ?? [], [part], how),
  };
};

const render = (one: QualifiedCandidate, how: Showing): QualifiedResponse => {
  const { loaded, parts, order } = one;
  const shared = { id: loaded.shownId, object: loaded.object, created_at: loaded.place.created_at };
  const expanded = expandedFields(loaded.shown, loaded.object === 'promotion_tier', how);
  if (loaded.object === 'promotion_stack') {
    return {
      ...shared,
      ...how.show(order),
      ...expanded,
      redeemables: parts.map((part) => renderPart(part, one, how)),
    };
  }
  const [part] = parts;
  return {
    ...shared,
    result: resultOf(part!, how),
    ...how.show(order),
    applicable_to: part!.applicable_to,
    inapplicable_to: part!.inapplicable_to,
    ...expanded,
    ...rulesShown(loaded.ruled[0]!, parts, how),
  };
};

/** The lines as they were sent or stored, with their records, and no amount that a calculation makes. */
const resolvedOrder = ({ sent, stored, state }: RequestOrder): object => ({
  ...(stored
    ? { id: stored.order.id, status: stored.order.status, created_at: stored.order.created_at }
    : {}),
  ...(stored?.order.updated_at ? { updated_at: stored.order.updated_at } : {}),
  ...((stored?.order.source_id ?? sent.source_id) === undefined
    ? {}
    : { source_id: stored?.order.source_id ?? sent.source_id }),
  metadata: { ...stored?.order.metadata, ...sent.metadata },
  items: state.lines.map(({ echo, quantity }) => ({ ...echo, quantity })),
  customer_id: null,
  referrer_id: null,
  object: 'order',
});

/** Makes the answer of a qualification. */
@Injectable()
export class QualificationRenderer {
  constructor(
    private readonly assignments: AssignmentReads,
    @InjectTrackingIds() private readonly tracking: TrackingIds,
  ) {}

  async render(
    context: RequestContext,
    call: QualificationCall,
    { page, next, customer, order, settings }: Rendered,
  ): Promise<QualificationResponse> {
    const show = shownOrder({ order, customer: null }, context);
    const how: Showing = {
      call,
      settings,
      isBrowser: isFromBrowser(context),
      assignments: await this.assignmentsOf(context, call, page),
      show: (calculated) =>
        calculated ? { order: renderOrder(orderWithoutCustomer(show(calculated))) } : {},
    };
    return {
      redeemables: {
        object: 'list',
        data_ref: 'data',
        data: page.map((one) => render(one, how)),
        total: page.length,
        has_more: next !== null,
        ...(next === null ? {} : { more_starting_after: cursorText(next) }),
      },
      ...this.trackingIdOf(context, call, customer),
      ...(order ? { order: resolvedOrder(order) } : {}),
      stacking_rules: renderStackingRules(settings),
    };
  }

  private async assignmentsOf(
    context: RequestContext,
    { expand }: QualificationCall,
    page: readonly QualifiedCandidate[],
  ): Promise<AssignmentsByObject> {
    if (!expand.has('validation_rules')) return new Map();
    const objects = page.flatMap(({ loaded }) => loaded.ruled.flat());
    return listsByObject(await this.assignments.shownOf(context.project.id, objects));
  }

  /** Of the request's identity; absent where none is known. */
  private trackingIdOf(
    context: RequestContext,
    call: QualificationCall,
    customer: CustomerSnapshot | null,
  ): { tracking_id?: string } {
    if (isFromBrowser(context)) return {};
    const { id } = context.project;
    const identity = identityOfRequest(this.tracking, id, call, customer);
    return identity === null ? {} : { tracking_id: this.tracking.encode(id, identity) };
  }
}
