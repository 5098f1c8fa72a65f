import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type {
  CampaignsPort,
  Claimed,
  ClaimRequest,
  RefundRequest,
  VoucherEvent,
  VoucherSnapshot,
} from '@scrip/contracts';
import {
  type AggregateStore,
  type Decision,
  EventStore,
  InjectEventStore,
  UniqueViolation,
} from '@scrip/event-store';
import { type Clock, type Refusal, type RequestContext, isRefused } from '@scrip/kernel';
import { InjectClock } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { Redeemables } from '../voucher/redeemables';
import { voucherAggregate } from '../voucher/voucher.aggregate';
import { type VoucherState, voucherNotFound } from '../voucher/voucher.decider';
import {
  type ClaimDecision,
  type ClaimSurroundings,
  claimAgain,
  claimUse,
  refundClaim,
} from './claim.decider';
import { claimChanges, readClaims } from './claim.rows';
import { ProvisionalClaims } from './provisional-claims';

type VoucherClaim = ClaimRequest & { voucher_id: string };
type Answer = VoucherState | Refusal;

const byVoucher = (a: { voucher_id: string }, b: { voucher_id: string }): number =>
  a.voucher_id < b.voucher_id ? -1 : Number(a.voucher_id > b.voucher_id);

const told = (claim_id: string, answer: Answer): Claimed<{ voucher: VoucherSnapshot }> =>
  isRefused(answer) ? { claim_id, refusal: answer } : { claim_id, voucher: answer.voucher };

/** Claims and refunds of voucher uses. Source: architecture §8. */
@Injectable()
export class Claims {
  private readonly vouchers: AggregateStore<VoucherState, VoucherEvent>;

  constructor(
    @InjectEventStore('campaigns') store: EventStore,
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    @InjectClock() private readonly clock: Clock,
    private readonly redeemables: Redeemables,
    private readonly provisional: ProvisionalClaims,
  ) {
    this.vouchers = store.aggregate(voucherAggregate);
  }

  /** In voucher order, as two redemptions of the same vouchers must not wait for each other in a circle; ends at the
   *  first refusal, which is the last answer. */
  readonly claim: CampaignsPort['claim'] = async (context, { claims }) => {
    const answers: Claimed<{ voucher: VoucherSnapshot }>[] = [];
    for (const claim of [...claims].sort(byVoucher)) {
      const answer = await this.claimOne(context, claim);
      answers.push(told(claim.claim_id, answer));
      if (isRefused(answer)) break;
    }
    return answers;
  };

  /** Provisional claims are settled first, by their verdict. */
  readonly refund: CampaignsPort['refund'] = async (context, { claims }) => {
    const answers: Claimed<{ voucher: VoucherSnapshot }>[] = [];
    for (const claim of [...claims].sort(byVoucher)) {
      await this.provisional.settleFirst(context, claim);
      answers.push(told(claim.claim_id, await this.refundOne(context, claim)));
    }
    return answers;
  };

  private async claimOne(context: RequestContext, claim: VoucherClaim): Promise<Answer> {
    for (;;) {
      const answer = await this.decideClaim(context, claim);
      if (!isRefused(answer) || answer.refused !== 'quantity_exceeded') return answer;
      if (!(await this.provisional.mayHaveFreedUse(context, claim.voucher_id))) return answer;
    }
  }

  private async decideClaim(context: RequestContext, claim: VoucherClaim): Promise<Answer> {
    const binding = await this.redeemables.bindingOf(context, claim.voucher_id);
    if (!binding) return voucherNotFound(claim.voucher_id);
    const surroundings = { ...binding, now: this.clock.now(), timezone: context.project.timezone };
    if (claim.replaces.length > 0) return this.claimUnderLock(context, claim, surroundings);
    try {
      const answer = await this.claimFresh(context, claim, surroundings);
      // Whoever repeats the claim of the last use must not be refused because of himself.
      const isRepeat = isRefused(answer) && (await this.isKnown(context, claim));
      return isRepeat ? await this.claimUnderLock(context, claim, surroundings) : answer;
    } catch (error) {
      if (!(error instanceof UniqueViolation) || error.constraint !== 'claims_pkey') throw error;
      return this.claimUnderLock(context, claim, surroundings);
    }
  }

  /** Together with all others who claim this voucher at the moment. */
  private claimFresh(
    context: RequestContext,
    claim: VoucherClaim,
    surroundings: ClaimSurroundings,
  ): Promise<Answer> {
    const { redemption_id, claim_id, voucher_id } = claim;
    return this.vouchers.execute<Answer>({
      context,
      streamId: voucher_id,
      decide: (state) => {
        if (!state) return voucherNotFound(voucher_id);
        const decision = claimUse(state, { redemption_id, claim_id }, surroundings);
        return isRefused(decision) ? decision : this.written(context, voucher_id, decision);
      },
    });
  }

  private claimUnderLock(
    context: RequestContext,
    claim: VoucherClaim,
    surroundings: ClaimSurroundings,
  ): Promise<Answer> {
    const { voucher_id } = claim;
    return this.vouchers.executeLocked<Answer>({
      context,
      streamId: voucher_id,
      decide: async (state, read) => {
        if (!state) return voucherNotFound(voucher_id);
        const rows = await readClaims(read, context.project.id, voucher_id, [
          claim.claim_id,
          ...claim.replaces,
        ]);
        return this.written(context, voucher_id, claimAgain(state, claim, rows, surroundings));
      },
    });
  }

  private refundOne(context: RequestContext, claim: RefundRequest & { voucher_id: string }): Promise<Answer> {
    const { redemption_id, claim_id, rollback_id, voucher_id } = claim;
    return this.vouchers.executeLocked<Answer>({
      context,
      streamId: voucher_id,
      decide: async (state, read) => {
        if (!state) return voucherNotFound(voucher_id);
        const rows = await readClaims(read, context.project.id, voucher_id, [claim_id]);
        const decision = refundClaim(state, { redemption_id, claim_id, rollback_id }, rows.get(claim_id));
        return this.written(context, voucher_id, decision);
      },
    });
  }

  private async isKnown(
    { project }: RequestContext,
    { voucher_id, claim_id }: VoucherClaim,
  ): Promise<boolean> {
    const rows = await readClaims(this.dataSource.manager, project.id, voucher_id, [claim_id]);
    return rows.size > 0;
  }

  private written(
    { project }: RequestContext,
    voucherId: string,
    { events, moves, answer }: ClaimDecision,
  ): Decision<VoucherEvent, Answer> {
    return { events, rows: claimChanges(project.id, voucherId, moves), answer };
  }
}
