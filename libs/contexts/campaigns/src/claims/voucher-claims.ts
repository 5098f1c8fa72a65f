import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { ClaimTable, ClaimsOwner, StreamEffect } from '@scrip/claims';
import type { GrantedVoucher, RedeemableVoucher } from '@scrip/contracts/campaigns';
import type { OwnerRefusal } from '@scrip/contracts/claims';
import { type QualificationPort, qualificationPort } from '@scrip/contracts/qualification';
import { type EventStore, InjectEventStore } from '@scrip/event-store';
import { type BusinessClock, isRefused, newId, refuse, type RequestContext } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import { InjectBusinessClock, InjectMetrics, type Metrics } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { InternalContexts } from '@scrip/tasks';
import { confirmedTransactions, transactionRows } from '../gift/transaction.table';
import { confirmedHoldsEnd, findHold, holdOfClaim } from '../holds/hold.table';
import { VoucherHolds } from '../holds/voucher-holds';
import { Redeemables } from '../voucher/redeemables';
import { voucherAggregate } from '../voucher/voucher.aggregate';
import { type VoucherState, voucherNotFound } from '../voucher/voucher.decider';
import { type KeptUse, voucherClaimRules } from './claim.decider';

/** The voucher as it stood right after the claim. */
const asClaimed = ({ voucher }: VoucherState, kept: object | null): GrantedVoucher => {
  const {
    updated_at = voucher.updated_at,
    transaction,
    redeemed_quantity,
    hold,
  } = (kept ?? {}) as Partial<KeptUse>;
  const redemption = {
    ...voucher.redemption,
    ...(redeemed_quantity === undefined ? {} : { redeemed_quantity }),
  };
  const then = { ...voucher, redemption, updated_at };
  const own = hold ? { hold } : {};
  if (!transaction) return { voucher: then, ...own };
  return {
    ...own,
    voucher: { ...then, gift: then.gift && { ...then.gift, balance: transaction.balance } },
    transaction,
  };
};

/** The voucher as it stands, and what came back with the refund. */
const asRefunded = ({ voucher }: VoucherState, kept: object | null): GrantedVoucher => {
  const { refund } = (kept ?? {}) as Partial<KeptUse>;
  return { voucher, ...(refund ? { transaction: refund } : {}) };
};

/** Claims on the uses of vouchers and the credits of gift cards, and what sessions hold of them. Source: architecture §8. */
@Injectable()
export class VoucherClaims extends ClaimsOwner<RedeemableVoucher, GrantedVoucher> {
  constructor(
    @InjectEventStore('campaigns') events: EventStore,
    @InjectDataSource('campaigns') dataSource: DataSource,
    @InjectPort(qualificationPort) qualification: QualificationPort,
    @InjectMetrics() metrics: Metrics,
    @InjectBusinessClock() clock: BusinessClock,
    redeemables: Redeemables,
    contexts: InternalContexts,
    private readonly holds: VoucherHolds,
  ) {
    const table = new ClaimTable(dataSource, 'claims', {
      confirmedToo: [confirmedTransactions, confirmedHoldsEnd],
      beside: holdOfClaim,
    });
    const effect = new StreamEffect({
      store: events.aggregate(voucherAggregate),
      table,
      rules: ({ project }) => voucherClaimRules(clock.now(project), newId('vtx_'), project.id),
      contended: ['quantity_exceeded', 'gift_amount_exceeded'],
      around: async ({ project: { id, timezone } }, { object_id, asks }) => ({
        timezone,
        hold: asks.hold
          ? await findHold(dataSource, id, { voucher_id: object_id, session_key: asks.hold.session })
          : null,
      }),
      outdated: async (context, id, { holds: held }) =>
        held !== undefined &&
        held.first_expiry <= clock.now(context.project).toISOString() &&
        (await holds.dropExpired(context, [id])) > 0,
      granted: asClaimed,
      refunded: asRefunded,
      rowsOf: transactionRows,
      notFound: voucherNotFound,
      inUse: (id) =>
        refuse('multiple_requests', 'Voucher is in use by another request', {
          resourceId: id,
          resourceType: 'voucher',
        }),
      load: (context, objects, session) => redeemables.load(context, objects, session),
      contextOf: (projectId) => contexts.of(projectId),
    });
    super({ name: 'campaigns', table, effect, qualification, metrics });
  }

  /** Ends what a session holds of a voucher, once no redemption that uses it up is under way. Refuses `not_found` for a session that is
   *  unknown or expired, and `multiple_requests` where a redemption stays under way. Source: reference 03 §8. */
  async release(
    context: RequestContext,
    { voucherId, session }: { voucherId: string; session: string },
  ): Promise<OwnerRefusal | null> {
    const end = await this.whenFree(context, voucherId, () =>
      this.holds.release(context, { voucherId, session }),
    );
    return isRefused(end) ? end : end.refusal;
  }
}
