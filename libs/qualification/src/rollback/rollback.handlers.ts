import { Injectable, Logger } from '@nestjs/common';
import {
  type CampaignSnapshot,
  type CampaignsPort,
  type CustomersPort,
  type OrderSnapshot,
  type RedemptionSnapshot,
  type VoucherSnapshot,
  campaignsPort,
  customersPort,
} from '@scrip/contracts';
import type { RowChange } from '@scrip/event-store';
import {
  type Clock,
  Fault,
  type IdSource,
  type Refusal,
  type RequestContext,
  isRefused,
  newId,
  refuse,
} from '@scrip/kernel';
import { defaultStackingSettings } from '@scrip/order-calculation';
import { InjectPort } from '@scrip/rpc';
import { InjectClock } from '@scrip/service';
import { RedemptionReader } from '../listing/redemption-reader';
import { type RedemptionState, listedColumnsOf } from '../redemption/redemption.aggregate';
import { channelOf } from '../redemption/redemption-plan';
import { RedemptionRenderer } from '../redemption/redemption-renderer';
import type { RollbackRequest } from '../request/rollback-request';
import type { TrackingIds } from '../validation/tracking-id';
import { InjectTrackingIds } from '../validation/tracking-id.provider';
import { type RollBack, decideRollback } from './rollback.decider';

/** What the owners gave back, as it stands now. */
interface Returned {
  voucher: VoucherSnapshot | null;
  order: OrderSnapshot | null;
  campaign: CampaignSnapshot | null;
}

const unknownRedemption = (id: string): Refusal =>
  refuse('not_found', `Cannot find redemption with id ${id}`, { resourceId: id, resourceType: 'redemption' });

const notARedemption = (): Refusal => refuse('invalid_redemption', 'A rollback cannot be rolled back.');

const rowOf = (projectId: string, rollback: RedemptionSnapshot): RowChange => ({
  insert: 'rollbacks',
  values: { project_id: projectId, id: rollback.id, state: rollback, ...listedColumnsOf(rollback) },
});

/** Rolls single redemptions back: one compare-and-set, then refunds until they are done, then the end and the answer.
 *  Source: architecture §8 Rollback, spec 03 §9. */
@Injectable()
export class RollbackHandlers {
  private readonly logger = new Logger(RollbackHandlers.name);

  constructor(
    private readonly reader: RedemptionReader,
    private readonly renderer: RedemptionRenderer,
    @InjectPort(campaignsPort) private readonly campaigns: CampaignsPort,
    @InjectPort(customersPort) private readonly customers: CustomersPort,
    @InjectTrackingIds() private readonly tracking: TrackingIds,
    @InjectClock() private readonly clock: Clock,
  ) {}

  /** Answers the rollback object. Refuses in the interface's order; attempts on a redemption that is too old or already
   *  rolled back are kept as `rrf_`. After a `Fault` the rollback, once started, is finished in the background. */
  async rollBack(
    context: RequestContext,
    redemptionId: string,
    request: RollbackRequest,
    ids: IdSource,
  ): Promise<object | Refusal> {
    if (/^rrf?_/.test(redemptionId)) {
      return (await this.reader.rollback(context, redemptionId))
        ? notARedemption()
        : unknownRedemption(redemptionId);
    }
    const customer = await this.namedCustomer(context, request, ids);
    if (isRefused(customer)) return customer;
    const decided = await this.start(
      context,
      redemptionId,
      this.command(context, request, ids, customer?.id ?? null),
    );
    if (isRefused(decided)) return decided;
    await this.storeCustomer(context, request, ids);
    return this.answer(context, await this.finish(context, decided));
  }

  /** Gives everything back that a started rollback owes and ends it; repeating it changes nothing. Answers the rollback
   *  as it ended. Throws `Fault` where an owner is away: the rollback stays started. */
  async finish(context: RequestContext, state: RedemptionState): Promise<RedemptionSnapshot> {
    const started = state.rollback!;
    if (started.finished) return started.rollback;
    const returned = await this.giveBack(context, state);
    const ended = await this.reader.store.execute<RedemptionSnapshot>({
      context,
      streamId: state.redemption.id,
      decide: (current) => {
        const rollback = current?.rollback;
        if (!current || rollback?.rollback.id !== started.rollback.id) {
          throw new Error(`rollback ${started.rollback.id} vanished from ${state.redemption.id}`);
        }
        if (rollback.finished) return { events: [], answer: rollback.rollback };
        const { campaign, order, voucher } = returned;
        const done: RedemptionSnapshot = { ...rollback.rollback, order, voucher };
        const redemption: RedemptionSnapshot = {
          ...current.redemption,
          status: 'ROLLED_BACK',
          order,
          voucher,
        };
        return {
          events: [{ type: 'RedemptionRolledBack', data: { redemption, campaign, rollback: done } }],
          rows: [rowOf(context.project.id, done)],
          answer: done,
        };
      },
    });
    if (isRefused(ended))
      throw new Error(`rollback ${started.rollback.id} was refused at its end: ${ended.refused}`);
    return ended;
  }

  private command(
    context: RequestContext,
    request: RollbackRequest,
    ids: IdSource,
    customerId: string | null,
  ): RollBack {
    const { project } = context;
    const { tracking_id: sent } = request;
    return {
      rollbackId: ids.next('rr_', 'rollback'),
      // Another one each time: a repeated command may be refused anew, and each attempt is kept.
      failureId: newId('rrf_'),
      now: this.clock.now(),
      timezone: project.timezone,
      reason: request.reason ?? null,
      tracking_id:
        sent === undefined
          ? null
          : this.tracking.encode(project.id, this.tracking.identityOf(project.id, sent)),
      metadata: request.metadata ?? null,
      channel: channelOf(context),
      customerId,
      order: request.order ?? null,
    };
  }

  /** Who the request names; null for nobody. */
  private namedCustomer(context: RequestContext, { customer }: RollbackRequest, ids: IdSource) {
    if (!customer || (customer.id === undefined && customer.source_id === undefined)) return null;
    return this.customers.resolve(context, { customer, store: false, new_id: ids.next('cust_', 'customer') });
  }

  private async storeCustomer(
    context: RequestContext,
    { customer }: RollbackRequest,
    ids: IdSource,
  ): Promise<void> {
    if (!customer || (customer.id === undefined && customer.source_id === undefined)) return;
    await this.customers.resolve(context, { customer, store: true, new_id: ids.next('cust_', 'customer') });
  }

  /** The one transaction that decides who rolls back. */
  private async start(
    context: RequestContext,
    redemptionId: string,
    command: RollBack,
  ): Promise<RedemptionState | Refusal> {
    return this.reader.store.execute<RedemptionState | Refusal>({
      context,
      streamId: redemptionId,
      decide: (state) => {
        if (!state) return unknownRedemption(redemptionId);
        const decision = decideRollback(state, command);
        switch (decision.kind) {
          case 'started':
            return {
              events: [decision.event],
              answer: { ...state, rollback: { ...decision.event.data, finished: false } },
            };
          case 'resumed':
            return { events: [], answer: state };
          case 'refused':
            return decision.refusal;
          case 'recorded':
            return {
              events: [
                {
                  type: 'RedemptionRollbackFailed',
                  data: { redemption: state.redemption, campaign: null, rollback: decision.failure },
                },
              ],
              rows: [rowOf(context.project.id, decision.failure)],
              answer: decision.refusal,
            };
        }
      },
    });
  }

  private async giveBack(
    context: RequestContext,
    { redemption, claims, rollback }: RedemptionState,
  ): Promise<Returned> {
    if (!claims || !rollback) throw new Error(`redemption ${redemption.id} has nothing to give back`);
    const refund = { redemption_id: claims.outcome_id, rollback_id: rollback.rollback.id };
    const [vouchers, order, campaign] = await Promise.all([
      this.campaigns.refund(context, { claims: claims.vouchers.map((claim) => ({ ...refund, ...claim })) }),
      claims.order &&
        this.customers.refundOrder(context, {
          ...refund,
          ...claims.order,
          mode: defaultStackingSettings.redeemables_rollback_order_mode,
          rolled_back_at: rollback.rollback.date,
        }),
      this.campaignOf(context, redemption),
    ]);
    const voucher = vouchers[0];
    return {
      voucher: this.returnedOr(
        redemption.voucher,
        voucher && ('refusal' in voucher ? voucher.refusal : voucher.voucher),
      ),
      order: this.returnedOr(redemption.order, order && ('refusal' in order ? order.refusal : order.order)),
      campaign,
    };
  }

  /** An owner that no longer knows the object has nothing to give back to: the redemption's own copy is shown. Any other
   *  refusal of a refund is a broken promise. */
  private returnedOr<T extends object>(before: T | null, returned: T | Refusal | null | undefined): T | null {
    if (!isRefused(returned)) return returned ?? before;
    if (returned.refused !== 'not_found') {
      throw new Fault('unavailable', `a refund was refused: ${returned.refused}`);
    }
    this.logger.warn(`nothing to give back to: ${returned.details ?? returned.refused}`);
    return before;
  }

  private async campaignOf(
    context: RequestContext,
    { voucher }: RedemptionSnapshot,
  ): Promise<CampaignSnapshot | null> {
    if (!voucher?.campaign_id) return null;
    const [found] = await this.campaigns.loadRedeemables(context, { vouchers: [voucher.id] });
    return found === undefined || isRefused(found) ? null : found.campaign;
  }

  private async answer(context: RequestContext, rollback: RedemptionSnapshot): Promise<object> {
    const customer = await this.reader.customerOf(context, rollback);
    return this.renderer.render(context.project, rollback, { customer });
  }
}
