import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { ClaimTable, ClaimsOwner, StreamEffect } from '@scrip/claims';
import type { RedeemableVoucher, VoucherSnapshot } from '@scrip/contracts/campaigns';
import { type QualificationPort, qualificationPort } from '@scrip/contracts/qualification';
import { type EventStore, InjectEventStore } from '@scrip/event-store';
import { type BusinessClock, refuse } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import { InjectBusinessClock, InjectMetrics, type Metrics } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { InternalContexts } from '@scrip/tasks';
import { Redeemables } from '../voucher/redeemables';
import { voucherAggregate } from '../voucher/voucher.aggregate';
import { type VoucherState, voucherNotFound } from '../voucher/voucher.decider';
import { type KeptUse, voucherClaimRules } from './claim.decider';

const asClaimed = ({ voucher }: VoucherState, kept: object | null): { voucher: VoucherSnapshot } => {
  const { updated_at = voucher.updated_at, ...uses } = (kept ?? {}) as Partial<KeptUse>;
  return { voucher: { ...voucher, redemption: { ...voucher.redemption, ...uses }, updated_at } };
};

/** Claims on the uses of vouchers. Source: architecture §8. */
@Injectable()
export class VoucherClaims extends ClaimsOwner<RedeemableVoucher, { voucher: VoucherSnapshot }> {
  constructor(
    @InjectEventStore('campaigns') events: EventStore,
    @InjectDataSource('campaigns') dataSource: DataSource,
    @InjectPort(qualificationPort) qualification: QualificationPort,
    @InjectMetrics() metrics: Metrics,
    @InjectBusinessClock() clock: BusinessClock,
    redeemables: Redeemables,
    contexts: InternalContexts,
  ) {
    const table = new ClaimTable(dataSource, 'claims');
    const effect = new StreamEffect({
      store: events.aggregate(voucherAggregate),
      table,
      rules: ({ project }) => voucherClaimRules(clock.now(project)),
      contended: ['quantity_exceeded'],
      around: async (context, voucherId) => {
        const binding = await redeemables.bindingOf(context, voucherId);
        return binding && { ...binding, timezone: context.project.timezone };
      },
      granted: asClaimed,
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
