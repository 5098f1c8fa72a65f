import { Injectable, Logger } from '@nestjs/common';
import {
  type CampaignSnapshot,
  type CampaignsPort,
  type Claimed,
  type CustomersPort,
  type OrderSnapshot,
  type RedemptionClaims,
  type VoucherSnapshot,
  campaignsPort,
  customersPort,
} from '@scrip/contracts';
import { Fault, type Refusal, type RequestContext, isRefused } from '@scrip/kernel';
import { defaultStackingSettings } from '@scrip/order-calculation';
import { InjectPort } from '@scrip/rpc';
import type { Returned, Undone } from './rollback.decider';

type Refunded = Map<string, Claimed<{ voucher: VoucherSnapshot }>>;

const claimsOf = ({ state }: Undone): RedemptionClaims => {
  if (!state.claims) throw new Error(`redemption ${state.redemption.id} has nothing to give back`);
  return state.claims;
};

/** A parent lists what its children took: they give it back themselves. */
const voucherClaimsOf = (undone: Undone) =>
  undone.state.redemption.stacked ? [] : claimsOf(undone).vouchers;

/** Has the owners give back what redemptions took. Source: spec 03 §9. */
@Injectable()
export class RollbackRefunds {
  private readonly logger = new Logger(RollbackRefunds.name);

  constructor(
    @InjectPort(campaignsPort) private readonly campaigns: CampaignsPort,
    @InjectPort(customersPort) private readonly customers: CustomersPort,
  ) {}

  /** `undone`: a single, or a parent and then its children. All uses go back in one call, the order's discounts in
   *  another. Repeating it changes nothing. Answers in the same order. Throws `Fault` where an owner is away. */
  async giveBack(context: RequestContext, undone: readonly [Undone, ...Undone[]]): Promise<Returned[]> {
    const [vouchers, order, campaigns] = await Promise.all([
      this.refundVouchers(context, undone),
      this.refundOrder(context, undone),
      this.campaignsOf(context, undone),
    ]);
    return undone.map((one): Returned => {
      const { voucher } = one.state.redemption;
      const claim = voucherClaimsOf(one)[0];
      const refunded = claim && vouchers.get(claim.claim_id);
      return {
        voucher: this.returnedOr(
          voucher,
          refunded && ('refusal' in refunded ? refunded.refusal : refunded.voucher),
        ),
        order,
        campaign: (voucher && campaigns.get(voucher.id)) ?? null,
      };
    });
  }

  private async refundVouchers(context: RequestContext, undone: readonly Undone[]): Promise<Refunded> {
    const claims = undone.flatMap((one) =>
      voucherClaimsOf(one).map((claim) => ({
        redemption_id: claimsOf(one).outcome_id,
        rollback_id: one.rollback.id,
        ...claim,
      })),
    );
    const refunded = await this.campaigns.refund(context, { claims });
    return new Map(refunded.map((answer) => [answer.claim_id, answer]));
  }

  private async refundOrder(
    context: RequestContext,
    [first, ...children]: readonly [Undone, ...Undone[]],
  ): Promise<OrderSnapshot | null> {
    const { order: claim, outcome_id } = claimsOf(first);
    if (!claim) return first.state.redemption.order;
    const { rollback } = first;
    const refunded = await this.customers.refundOrder(context, {
      redemption_id: outcome_id,
      rollback_id: rollback.id,
      ...claim,
      mode: defaultStackingSettings.redeemables_rollback_order_mode,
      rolled_back_at: rollback.date,
      ...(children.length > 0 ? { rollback_stacked: children.map((child) => child.rollback.id) } : {}),
    });
    return this.returnedOr(
      first.state.redemption.order,
      'refusal' in refunded ? refunded.refusal : refunded.order,
    );
  }

  /** An owner that no longer knows the object has nothing to give back to: the redemption's own copy is shown. Any other
   *  refusal of a refund is a broken promise. */
  private returnedOr<T extends object>(before: T | null, returned: T | Refusal | undefined): T | null {
    if (!isRefused(returned)) return returned ?? before;
    if (returned.refused !== 'not_found') {
      throw new Fault('unavailable', `a refund was refused: ${returned.refused}`);
    }
    this.logger.warn(`nothing to give back to: ${returned.details ?? returned.refused}`);
    return before;
  }

  /** By voucher id. */
  private async campaignsOf(
    context: RequestContext,
    undone: readonly Undone[],
  ): Promise<Map<string, CampaignSnapshot | null>> {
    const vouchers = undone.flatMap(({ state: { redemption } }) =>
      redemption.voucher?.campaign_id ? [redemption.voucher.id] : [],
    );
    if (vouchers.length === 0) return new Map();
    const found = await this.campaigns.loadRedeemables(context, { vouchers });
    return new Map(found.flatMap((one) => (isRefused(one) ? [] : [[one.voucher.id, one.campaign] as const])));
  }
}
