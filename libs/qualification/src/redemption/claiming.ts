import { Injectable } from '@nestjs/common';
import {
  type CampaignsPort,
  type CustomersPort,
  type OrderSnapshot,
  type VoucherSnapshot,
  campaignsPort,
  customersPort,
} from '@scrip/contracts';
import { Fault, type IdSource, type Refusal, type RequestContext } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';

/** What one redemption asks of the owners. */
export interface ClaimPlan {
  redemptionId: string;
  /** In the order of application. */
  voucherIds: readonly string[];
  order: { order: OrderSnapshot; base_version: number | null } | null;
}

/** Every claim that an owner may hold, for the settlement: those that were granted, replaced or lost. One that an owner
 *  refused, or never tried because of a refusal, is not among them: there is nothing to revert, and should a copy of
 *  the message ever arrive late, the owner asks and finds the redemption abandoned. */
export interface SentClaims {
  vouchers: { claim_id: string; voucher_id: string }[];
  orders: { claim_id: string; order_id: string }[];
}

/** `granted`: all promises hold, vouchers in the order of the plan. `refused`: at least one owner said no; the first
 *  refusal in the order of application, the order's last. */
export type ClaimEnd =
  | {
      end: 'granted';
      vouchers: { claim_id: string; voucher: VoucherSnapshot }[];
      order: { claim_id: string; order: OrderSnapshot } | null;
    }
  | { end: 'refused'; refusal: Refusal; voucherId: string | null };

const roundsMax = 3;
const callTimeoutMs = 5_000;

/** How long one call may take, so that the deadline leaves room for another round. */
const callDeadline = ({ deadlineAt }: RequestContext): number => {
  const now = Date.now();
  return Math.min(deadlineAt, now + Math.min(callTimeoutMs, Math.max(250, (deadlineAt - now) / 2)));
};

const forget = (claims: { claim_id: string }[], claimId: string): void => {
  claims.splice(
    claims.findIndex(({ claim_id }) => claim_id === claimId),
    1,
  );
};

/** Takes the owners' promises. Source: architecture §8.2. */
@Injectable()
export class Claiming {
  constructor(
    @InjectPort(campaignsPort) private readonly campaigns: CampaignsPort,
    @InjectPort(customersPort) private readonly customers: CustomersPort,
  ) {}

  /** Claims everything in parallel; `sent` is filled before each call. A claim whose answer was lost is never taken
   *  again under its id: the next round has new ids and names the ones it replaces. Throws what the last round threw. */
  async claim(context: RequestContext, plan: ClaimPlan, ids: IdSource, sent: SentClaims): Promise<ClaimEnd> {
    // Both owners are heard, also when one fails: an answer that comes later than the verdict would be forgotten.
    const [vouchers, order] = await Promise.allSettled([
      this.claimVouchers(context, plan, ids, sent),
      plan.order ? this.claimOrder(context, plan.redemptionId, plan.order, ids, sent) : null,
    ]);
    if (vouchers.status === 'rejected') throw vouchers.reason;
    if (order.status === 'rejected') throw order.reason;
    const voucherIndex = vouchers.value.findIndex((claimed) => claimed && 'refusal' in claimed);
    const refusedVoucher = vouchers.value[voucherIndex];
    if (refusedVoucher && 'refusal' in refusedVoucher) {
      return { end: 'refused', refusal: refusedVoucher.refusal, voucherId: plan.voucherIds[voucherIndex]! };
    }
    if (order.value && 'refusal' in order.value) {
      return { end: 'refused', refusal: order.value.refusal, voucherId: null };
    }
    return {
      end: 'granted',
      vouchers: vouchers.value as { claim_id: string; voucher: VoucherSnapshot }[],
      order: order.value,
    };
  }

  private claimVouchers(context: RequestContext, plan: ClaimPlan, ids: IdSource, sent: SentClaims) {
    const replaces = new Map<string, string[]>();
    return this.inRounds(context, async (callContext, round) => {
      const claims = plan.voucherIds.map((voucher_id, index) => {
        const claim_id = ids.next('clm_', `claim:${index}:${round}`);
        const replaced = replaces.get(voucher_id) ?? [];
        replaces.set(voucher_id, [...replaced, claim_id]);
        sent.vouchers.push({ claim_id, voucher_id });
        return { redemption_id: plan.redemptionId, claim_id, replaces: replaced, voucher_id };
      });
      const claimed = await this.campaigns.claim(callContext, { claims });
      const answerOf = new Map(claimed.map((answer) => [answer.claim_id, answer]));
      // After a refusal the owner may leave later claims untried: those have no answer.
      const answered = claims.map(({ claim_id }) => answerOf.get(claim_id) ?? null);
      const refused = answered.some((answer) => answer && 'refusal' in answer);
      const untried = claims[answered.indexOf(null)];
      if (untried && !refused) throw new Error(`campaigns left a claim on ${untried.voucher_id} unanswered`);
      claims.forEach(({ claim_id }, index) => {
        const answer = answered[index];
        if (!answer || 'refusal' in answer) forget(sent.vouchers, claim_id);
      });
      return answered;
    });
  }

  private claimOrder(
    context: RequestContext,
    redemption_id: string,
    wanted: NonNullable<ClaimPlan['order']>,
    ids: IdSource,
    sent: SentClaims,
  ) {
    const replaces: string[] = [];
    return this.inRounds(context, async (callContext, round) => {
      const claim_id = ids.next('clm_', `claim:order:${round}`);
      sent.orders.push({ claim_id, order_id: wanted.order.id });
      const request = { redemption_id, claim_id, replaces: [...replaces], ...wanted };
      replaces.push(claim_id);
      const claimed = await this.customers.claimOrder(callContext, request);
      if ('refusal' in claimed) forget(sent.orders, claim_id);
      return claimed;
    });
  }

  private async inRounds<T>(
    context: RequestContext,
    call: (context: RequestContext, round: number) => Promise<T>,
  ): Promise<T> {
    for (let round = 1; ; round += 1) {
      try {
        return await call({ ...context, deadlineAt: callDeadline(context) }, round);
      } catch (error) {
        const lost = error instanceof Fault;
        if (!lost || round === roundsMax || Date.now() >= context.deadlineAt) throw error;
      }
    }
  }
}
