import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Outcome, VoucherEvent } from '@scrip/contracts';
import { type AggregateStore, EventStore, InjectEventStore } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import { voucherAggregate } from '../voucher/voucher.aggregate';
import type { VoucherState } from '../voucher/voucher.decider';
import { revertClaim } from './claim.decider';
import { claimChanges, confirmClaims, readClaims } from './claim.rows';
import { SettledSignal } from './settled-signal';

/** A claim as the coordinator names it. */
export interface NamedClaim {
  redemption_id: string;
  claim_id: string;
  voucher_id: string;
}

/** Carries verdicts out: confirms what a RECORDED outcome lists, gives back everything else. */
@Injectable()
export class ClaimSettlement {
  private readonly vouchers: AggregateStore<VoucherState, VoucherEvent>;

  constructor(
    @InjectEventStore('campaigns') store: EventStore,
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    private readonly settled: SettledSignal,
  ) {
    this.vouchers = store.aggregate(voucherAggregate);
  }

  /** Idempotent. Claims without an outcome are left alone. A claim that never arrived is refused from now on. Goes on
   *  after a claim that cannot be settled, and throws its error at the end. Source: architecture §8.4. */
  async settle(
    context: RequestContext,
    outcomes: readonly Outcome[],
    claims: readonly NamedClaim[],
  ): Promise<void> {
    const verdicts = new Map(outcomes.map((outcome) => [outcome.redemption_id, outcome]));
    const confirmed: NamedClaim[] = [];
    const reverted: NamedClaim[] = [];
    for (const claim of claims) {
      const outcome = verdicts.get(claim.redemption_id);
      if (!outcome) continue;
      const isListed = outcome.verdict === 'RECORDED' && outcome.claims.includes(claim.claim_id);
      (isListed ? confirmed : reverted).push(claim);
    }
    if (confirmed.length > 0) await confirmClaims(this.dataSource.manager, context.project.id, confirmed);
    const ends = await Promise.allSettled(reverted.map((claim) => this.revert(context, claim)));
    for (const { voucher_id } of [...confirmed, ...reverted])
      this.settled.wake(context.project.id, voucher_id);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  private async revert(
    context: RequestContext,
    { redemption_id, claim_id, voucher_id }: NamedClaim,
  ): Promise<void> {
    await this.vouchers.executeLocked({
      context,
      streamId: voucher_id,
      decide: async (state, read) => {
        const rows = await readClaims(read, context.project.id, voucher_id, [claim_id]);
        const { events, moves } = revertClaim(state, { redemption_id, claim_id }, rows.get(claim_id));
        return { events, rows: claimChanges(context.project.id, voucher_id, moves), answer: null };
      },
    });
  }
}
