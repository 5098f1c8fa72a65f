import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { ClaimTable, ClaimsOwner, StreamEffect } from '@scrip/claims';
import type { GrantedVoucher, RedeemableVoucher } from '@scrip/contracts/campaigns';
import { type QualificationPort, qualificationPort } from '@scrip/contracts/qualification';
import { type EventStore, InjectEventStore } from '@scrip/event-store';
import { type BusinessClock, newId, refuse } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import { InjectBusinessClock, InjectMetrics, type Metrics } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { InternalContexts } from '@scrip/tasks';
import { confirmedTransactions, transactionRows } from '../gift/transaction.table';
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
  } = (kept ?? {}) as Partial<KeptUse>;
  const redemption = {
    ...voucher.redemption,
    ...(redeemed_quantity === undefined ? {} : { redeemed_quantity }),
  };
  const then = { ...voucher, redemption, updated_at };
  if (!transaction) return { voucher: then };
  return {
    voucher: { ...then, gift: then.gift && { ...then.gift, balance: transaction.balance } },
    transaction,
  };
};

/** The voucher as it stands, and what came back with the refund. */
const asRefunded = ({ voucher }: VoucherState, kept: object | null): GrantedVoucher => {
  const { refund } = (kept ?? {}) as Partial<KeptUse>;
  return { voucher, ...(refund ? { transaction: refund } : {}) };
};

/** Claims on the uses of vouchers and the credits of gift cards. Source: architecture §8. */
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
  ) {
    const table = new ClaimTable(dataSource, 'claims', { confirmedToo: confirmedTransactions });
    const effect = new StreamEffect({
      store: events.aggregate(voucherAggregate),
      table,
      rules: ({ project }) => voucherClaimRules(clock.now(project), newId('vtx_')),
      contended: ['quantity_exceeded', 'gift_amount_exceeded'],
      around: ({ project: { timezone } }) => Promise.resolve({ timezone }),
      granted: asClaimed,
      refunded: asRefunded,
      rowsOf: transactionRows,
      notFound: voucherNotFound,
      inUse: (id) =>
        refuse('multiple_requests', 'Voucher is in use by another request', {
          resourceId: id,
          resourceType: 'voucher',
        }),
      load: (context, objects) => redeemables.load(context, objects),
      contextOf: (projectId) => contexts.of(projectId),
    });
    super({ name: 'campaigns', table, effect, qualification, metrics });
  }
}
