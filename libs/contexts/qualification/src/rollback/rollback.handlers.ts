import { Injectable } from '@nestjs/common';
import { type CustomersPort, customersPort, storedUnder } from '@scrip/contracts/customers';
import type { RedemptionSnapshot } from '@scrip/contracts/qualification';
import {
  notFound,
  type BusinessClock,
  type IdSource,
  type RequestContext,
  isRefused,
  newId,
  refuse,
} from '@scrip/kernel';
import type { StackingSettings } from '@scrip/order-calculation';
import { InjectPort } from '@scrip/rpc';
import { InjectBusinessClock } from '@scrip/service';
import { renderOrder } from '@scrip/wire/customers';
import type { RowChange } from '@scrip/event-store';
import { additionsOf, unitsOf } from '../limits/counter';
import {
  type KeptScope,
  type RedemptionScope,
  additionRows,
  scopesOfRedemption,
} from '../limits/counter.table';
import type { QualificationRefusalKey, QualificationRefusal } from '../qualification.refusals';
import { RedemptionReads } from '../redemption/redemption.reads';
import type { RedemptionEntryResponse } from '../redemption/redemption-entry.wire';
import type { RedemptionState } from '../redemption/redemption.aggregate';
import { RedemptionMetadata } from '../evaluation/redemption-metadata';
import { channelOf } from '../request/channel';
import { RedemptionRenderer } from '../redemption/redemption-renderer';
import type { RollbackRequest } from '../request/rollback-request';
import { readableCustomer } from '../tracking/identity-of-request';
import type { TrackingIds } from '@scrip/wire/qualification';
import { ProjectSettings } from '../evaluation/project-settings';
import { InjectTrackingIds } from '../tracking/tracking-id.provider';
import { type FinishedRollback, RollbackFinisher } from './rollback-finisher';
import type { RollbacksResponse } from './rollback.wire';
import { rollbackRow } from './rollback.table';
import { type RollBack, decideRollback } from './rollback.decider';

/** A rollback as it was asked for, by either call. */
interface RequestedRollback {
  context: RequestContext;
  redemptionId: string;
  request: RollbackRequest;
  ids: IdSource;
  takesStacks: boolean;
}

const notARedemption = (): QualificationRefusal =>
  refuse('invalid_redemption', 'A rollback cannot be rolled back.');

/** What counters lose when a redemption is rolled back. */
const uncounted = (
  projectId: string,
  { redemption, counts }: RedemptionState,
  scopes: readonly KeptScope[],
): RowChange[] => {
  if (!counts) return [];
  const counted = { ...redemption, counts };
  return additionRows(projectId, [...additionsOf(counted, scopes), ...unitsOf(counted)], -1);
};

/** Rolls redemptions back: one compare-and-set, then refunds until they are done, then the end and the answer.
 *  Source: architecture §8 Rollback, reference 03 §9.
 *  Machine time: since when a rollback is under way. */
@Injectable()
export class RollbackHandlers {
  constructor(
    private readonly redemptions: RedemptionReads,
    private readonly renderer: RedemptionRenderer,
    private readonly finisher: RollbackFinisher,
    private readonly settings: ProjectSettings,
    private readonly metadata: RedemptionMetadata,
    @InjectPort(customersPort) private readonly customers: CustomersPort,
    @InjectTrackingIds() private readonly tracking: TrackingIds,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {}

  /** Rolls a single redemption back and answers the rollback object. Refuses in the interface's order, and keeps each
   *  refused rollback that reached a redemption as `rrf_`. After a `Fault` the rollback, once started, is
   *  finished in the background. */
  async rollBack(
    context: RequestContext,
    redemptionId: string,
    request: RollbackRequest,
    ids: IdSource,
  ): Promise<RedemptionEntryResponse | QualificationRefusal> {
    const ended = await this.run({ context, redemptionId, request, ids, takesStacks: false });
    return isRefused(ended) ? ended : (await this.rendering(context, ended))(ended.rollback);
  }

  /** Rolls a whole stack back, or a single redemption, which has no `parent_rollback`; otherwise as `rollBack`. */
  async rollBackStack(
    context: RequestContext,
    redemptionId: string,
    request: RollbackRequest,
    ids: IdSource,
  ): Promise<RollbacksResponse | QualificationRefusal> {
    const ended = await this.run({ context, redemptionId, request, ids, takesStacks: true });
    if (isRefused(ended)) return ended;
    const render = await this.rendering(context, ended);
    const { rollback, children } = ended;
    return {
      rollbacks: (children ?? [rollback]).map(render),
      ...(children ? { parent_rollback: render(rollback) } : {}),
      ...(rollback.order ? { order: renderOrder(rollback.order) } : {}),
    };
  }

  private async run(requested: RequestedRollback): Promise<FinishedRollback | QualificationRefusal> {
    const { context, redemptionId, request, ids } = requested;
    if (/^rrf?_/.test(redemptionId)) {
      return (await this.redemptions.rollback(context, redemptionId))
        ? notARedemption()
        : notFound('redemption', redemptionId);
    }
    const customer = await this.namedCustomer(context, request, ids);
    const settings = await this.settings.stackingOf(context);
    const command = this.command(requested, customer, settings);
    const unfit = await this.unfit(requested, command);
    const decided = await this.start(context, redemptionId, { ...command, unfit });
    return isRefused(decided) ? decided : this.finisher.finish(context, decided);
  }

  private command(
    { context, request, ids, takesStacks }: RequestedRollback,
    customer: { id: string } | QualificationRefusal | null,
    settings: StackingSettings,
  ): RollBack {
    const { project } = context;
    const { tracking_id: sent } = request;
    return {
      takesStacks,
      rollbackId: ids.next('rr_', 'rollback'),
      childRollbackId: (index) => ids.next('rr_', `rollback:${index}`),
      // Another one each time: a repeated command may be refused anew, and each refusal is kept.
      failureId: newId('rrf_'),
      now: this.clock.now(project),
      startedAt: new Date(),
      timezone: project.timezone,
      mode: settings.redeemables_rollback_order_mode,
      reason: request.reason ?? null,
      tracking_id:
        sent === undefined
          ? null
          : this.tracking.encode(project.id, this.tracking.identityOf(project.id, sent)),
      metadata: request.metadata ?? null,
      channel: channelOf(context),
      customerId: customer && !isRefused(customer) ? customer.id : null,
      unknownCustomer: isRefused(customer) ? customer : null,
      unfit: null,
      order: request.order ?? null,
    };
  }

  /** Returns the customer that the request names; null where it names none. */
  private namedCustomer(context: RequestContext, { customer }: RollbackRequest, ids: IdSource) {
    if (!customer || (customer.id === undefined && customer.source_id === undefined)) return null;
    const named = readableCustomer(customer, this.tracking, context.project.id);
    return this.customers.resolve(context, {
      customer: named,
      store: false,
      new_id: ids.next('cust_', 'customer'),
    });
  }

  /** Why what is sent along cannot be stored; null: it can. Stores the data of the customer where the rollback is about to start,
   *  since nothing could refuse them behind it. */
  private async unfit(
    { context, redemptionId, request, ids }: RequestedRollback,
    command: RollBack,
  ): Promise<QualificationRefusal | null> {
    const misfit = request.metadata ? await this.metadata.refusalOf(context, request) : null;
    if (misfit || !request.customer) return misfit;
    const state = await this.redemptions.redemption(context, redemptionId);
    const starts = state && decideRollback(command, state).kind === 'started';
    return starts ? this.updateCustomer(context, state, request.customer, ids) : null;
  }

  /** Updates the redemption's customer, and no other, with the data sent; the request may name that customer. One who was deleted
   *  has none. */
  private async updateCustomer(
    context: RequestContext,
    { redemption: { customer_id: id } }: RedemptionState,
    { source_id: _, ...data }: NonNullable<RollbackRequest['customer']>,
    ids: IdSource,
  ): Promise<QualificationRefusal | null> {
    if (id === null) return null;
    const customer = { ...data, id };
    const stored = await this.customers.resolve(context, { customer, store: true, ...storedUnder(ids) });
    return isRefused(stored) && stored.refused !== 'not_found' ? stored : null;
  }

  /** The one transaction that decides who rolls back; what counters count of the redemption falls in it. */
  private async start(
    context: RequestContext,
    redemptionId: string,
    command: RollBack,
  ): Promise<RedemptionState | QualificationRefusal> {
    return this.redemptions.store.executeLocked<
      RedemptionState | QualificationRefusal,
      RedemptionScope,
      QualificationRefusalKey
    >({
      context,
      streamId: redemptionId,
      sideRows: { of: scopesOfRedemption, ids: [redemptionId] },
      decide: (state, scopes) => {
        if (!state) return notFound('redemption', redemptionId);
        const decision = decideRollback(command, state);
        switch (decision.kind) {
          case 'started':
            return {
              events: [decision.event],
              rows: uncounted(context.project.id, state, scopes),
              answer: { ...state, rollback: { ...decision.event.data, finished: false } },
            };
          case 'resumed':
            return { events: [], answer: state };
          case 'refused': {
            const { failure: rollback, announced, refusal } = decision;
            const data = { redemption: state.redemption, campaign: null, rollback, announced };
            return {
              events: [{ type: 'RedemptionRollbackFailed', data }],
              rows: [rollbackRow(context.project.id, rollback)],
              answer: refusal,
            };
          }
        }
      },
    });
  }

  /** Customer and project are the same for all rollbacks of one stack. */
  private async rendering(context: RequestContext, { rollback }: FinishedRollback) {
    const customer = await this.redemptions.customerOf(context, rollback);
    return (one: RedemptionSnapshot): RedemptionEntryResponse =>
      this.renderer.render(context.project, one, { customer });
  }
}
