import type { CampaignSnapshot, GiftTransaction, VoucherSnapshot } from '@scrip/contracts/campaigns';
import type { OrderSnapshot } from '@scrip/contracts/customers';
import type {
  RedemptionRolledBack,
  RedemptionRollbackStarted,
  RedemptionSnapshot,
  RollbackOrderMode,
} from '@scrip/contracts/qualification';
import { addMonths, calendarDayOf, refuse } from '@scrip/kernel';
import type { QualificationRefusal } from '../qualification.refusals';
import type { RedemptionState } from '../redemption/redemption.aggregate';

/** A rollback as it was asked for. */
export interface RollBack {
  /** True: the call takes whole stacks too. */
  takesStacks: boolean;
  rollbackId: string;
  /** Ids of the rollbacks of a stack's children, in their order. */
  childRollbackId: (index: number) => string;
  /** Id of the record if the rollback is refused. */
  failureId: string;
  /** Business time. */
  now: Date;
  /** Machine time. */
  startedAt: Date;
  timezone: string;
  mode: RollbackOrderMode;
  reason: string | null;
  tracking_id: string | null;
  metadata: Record<string, unknown> | null;
  channel: RedemptionSnapshot['channel'];
  /** Null: the request names no customer; otherwise the id of that customer, '' for an unknown one. */
  customerId: string | null;
  /** Null: the request names no customer by an id that does not exist. */
  unknownCustomer: QualificationRefusal | null;
  /** Why what the request says of customer and rollback cannot be stored; null: it can. */
  unfit: QualificationRefusal | null;
  /** Null: the request names no order. */
  order: { id?: string | undefined; source_id?: string | undefined } | null;
}

/** `started`: this rollback won. `resumed`: it had won before; `finished` says whether its refunds are done.
 *  `refused`: and the refusal is kept as `rrf_`; `announced`: webhooks tell of it too. */
export type RollbackDecision =
  | { kind: 'started'; event: RedemptionRollbackStarted }
  | { kind: 'resumed'; finished: boolean }
  | { kind: 'refused'; refusal: QualificationRefusal; failure: RedemptionSnapshot; announced: boolean };

const months = 3;

const isOlderThanThreeMonths = (date: string, now: Date, timezone: string): boolean =>
  addMonths(calendarDayOf(new Date(date), timezone), months) < calendarDayOf(now, timezone);

type Policy = (state: RedemptionState, command: RollBack) => QualificationRefusal | null;

const childrenCannotBeRolledBackAlone: Policy = ({ redemption }) =>
  redemption.redemption === null
    ? null
    : refuse(
        'invalid_redemption_parent',
        'You can rollback only a redemption that does not have parent redemption.',
      );

const stacksHaveTheirOwnEndpoint: Policy = ({ redemption }, { takesStacks }) =>
  redemption.stacked && !takesStacks
    ? refuse(
        'invalid_redemption',
        'You can rollback only a single redemption. Use different endpoint for stacked redemption.',
      )
    : null;

const onlyOnce: Policy = ({ rollback }) =>
  rollback?.finished ? refuse('already_rolled_back', 'Redemption has been already rolled back.') : null;

const oneAtATime: Policy = ({ rollback }) =>
  rollback ? refuse('multiple_requests', 'Another rollback of this redemption is in progress.') : null;

const customerMustBeKnown: Policy = (_, { unknownCustomer }) => unknownCustomer;

const customerMustBeRelated: Policy = ({ redemption }, { customerId }) =>
  customerId === null || customerId === redemption.customer_id
    ? null
    : refuse('invalid_customer', 'Customer is not related with redemption.');

const orderMustBeRelated: Policy = ({ redemption }, { order }) => {
  const related =
    order === null ||
    (order.id === undefined && order.source_id === undefined) ||
    (redemption.order !== null &&
      (order.id === undefined
        ? order.source_id === redemption.order.source_id
        : order.id === redemption.order.id));
  return related ? null : refuse('invalid_order', 'Order is not related with redemption.');
};

const mustBeRecent: Policy = ({ redemption }, { now, timezone }) =>
  isOlderThanThreeMonths(redemption.date, now, timezone)
    ? refuse('invalid_redemption', 'Redemption is older than 3 months.')
    : null;

const mustHaveSucceeded: Policy = ({ redemption }) =>
  redemption.result === 'SUCCESS'
    ? null
    : refuse('invalid_redemption', 'A failed redemption cannot be rolled back.');

const whatIsSentMustFit: Policy = (_, { unfit }) => unfit;

/** In the interface's order; the first refusal wins. Source: reference 03 §9. */
const policies: readonly Policy[] = [
  childrenCannotBeRolledBackAlone,
  stacksHaveTheirOwnEndpoint,
  onlyOnce,
  oneAtATime,
  customerMustBeKnown,
  customerMustBeRelated,
  orderMustBeRelated,
  mustBeRecent,
  mustHaveSucceeded,
  whatIsSentMustFit,
];

/** Refused rollbacks that webhooks tell of. Source: reference 06 §3. */
const announcedPolicies: ReadonlySet<Policy> = new Set([onlyOnce, mustBeRecent]);

type Promotion = Pick<RedemptionSnapshot, 'promotion_tier' | 'promotion_stack'>;

const promotionOf = ({ promotion_tier, promotion_stack }: Promotion): Promotion => ({
  ...(promotion_tier ? { promotion_tier } : {}),
  ...(promotion_stack ? { promotion_stack } : {}),
});

/** A tracking id is stored of a visitor without a customer only, also where an earlier release stored one beside a customer.
 *  Source: ADR 156. */
const ofVisitor = (
  { customer_id }: Pick<RedemptionSnapshot, 'customer_id'>,
  trackingId: string | null,
): string | null => (customer_id === null ? trackingId : null);

const rollbackOf = (state: RedemptionState, id: string, command: RollBack): RedemptionSnapshot => {
  const { redemption } = state;
  return {
    id,
    object: 'redemption_rollback',
    date: command.now.toISOString(),
    customer_id: redemption.customer_id,
    tracking_id: ofVisitor(redemption, command.tracking_id ?? redemption.tracking_id),
    metadata: command.metadata,
    redemption: redemption.id,
    result: 'SUCCESS',
    status: 'SUCCEEDED',
    related_object_type: redemption.related_object_type,
    related_object_id: redemption.related_object_id,
    reason: command.reason,
    channel: command.channel,
    order: redemption.order,
    voucher: redemption.voucher,
    ...promotionOf(redemption),
  };
};

/** Decides a rollback on the redemption's newest state. Pure. Source: reference 03 §9. */
export const decideRollback = (command: RollBack, state: RedemptionState): RollbackDecision => {
  if (state.rollback?.rollback.id === command.rollbackId)
    return { kind: 'resumed', finished: state.rollback.finished };
  for (const policy of policies) {
    const refusal = policy(state, command);
    if (!refusal) continue;
    return {
      kind: 'refused',
      announced: announcedPolicies.has(policy),
      refusal: { resourceId: command.failureId, resourceType: 'redemption_rollback', ...refusal },
      failure: {
        ...rollbackOf(state, command.failureId, command),
        result: 'FAILURE',
        status: 'FAILED',
        failure_code: refusal.refused,
        ...(refusal.details === undefined ? {} : { failure_message: refusal.details }),
        order: null,
      },
    };
  }
  const stacked = state.redemption.stacked?.map((_, index) => command.childRollbackId(index));
  const rollback = {
    ...rollbackOf(state, command.rollbackId, command),
    rollback_order_mode: command.mode,
    ...(stacked ? { stacked } : {}),
  };
  const started_at = command.startedAt.toISOString();
  const data = { rollback, started_at, counts: state.counts ?? null };
  return { kind: 'started', event: { type: 'RedemptionRollbackStarted', data } };
};

/** A redemption that a rollback undoes, and its own rollback as far as it is known before the refunds. */
export interface Undone {
  state: RedemptionState;
  rollback: RedemptionSnapshot;
}

/** What the owners gave back for one redemption, as it stands now. */
export interface Returned {
  voucher: VoucherSnapshot | null;
  order: OrderSnapshot | null;
  campaign: CampaignSnapshot | null;
  /** Of the credits that came back; null for none. */
  transaction: GiftTransaction | null;
}

/** Everything that a started rollback undoes: a single by itself, a stack's parent and then its children, each child
 *  with a rollback of its own. Pure. Source: reference 03 §9. */
export const undoneBy = (
  state: RedemptionState,
  children: readonly RedemptionState[],
): [Undone, ...Undone[]] => {
  const { stacked = [], ...stack } = state.rollback!.rollback;
  const undone = children.map((child, index): Undone => {
    const { id, related_object_type, related_object_id, voucher } = child.redemption;
    const own = { id: stacked[index]!, redemption: id, related_object_type, related_object_id, voucher };
    return { state: child, rollback: { ...stack, ...own, ...promotionOf(child.redemption) } };
  });
  return [{ state, rollback: state.rollback!.rollback }, ...undone];
};

/** The end of one redemption's rollback. The order stands in the rollback only. Pure. */
export const rolledBack = (
  { redemption: { order: _, ...redemption } }: RedemptionState,
  rollback: RedemptionSnapshot,
  { voucher, order, campaign, transaction }: Returned,
): RedemptionRolledBack => ({
  type: 'RedemptionRolledBack',
  data: {
    redemption: {
      ...redemption,
      tracking_id: ofVisitor(redemption, redemption.tracking_id),
      status: 'ROLLED_BACK',
      voucher,
    },
    campaign,
    rollback: {
      ...rollback,
      ...(redemption.amount === undefined ? {} : { amount: -redemption.amount }),
      order,
      voucher,
      tracking_id: ofVisitor(redemption, rollback.tracking_id),
    },
    transaction,
  },
});
