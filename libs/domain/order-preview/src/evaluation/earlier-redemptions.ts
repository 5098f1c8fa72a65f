import type { AppliedStep, OrderState, Redeemable } from '@scrip/order-calculation';

type Counting = Pick<Redeemable, 'object' | 'id' | 'campaignId'>;

/** What one redemption adds to the counts and sums of its campaign. Amounts: minor units, that of the order as the
 *  redeemable left it. Source: reference 02 §4.6. */
interface Share {
  readonly campaign: string;
  readonly orderAmount: number;
  readonly discount: number;
  readonly credits: number;
}

// A voucher without campaign counts as its own campaign.
const campaignOf = ({ object, id, campaignId }: Counting): string => campaignId ?? `${object} ${id}`;

const amountOf = (order: OrderState | null): number => order?.amount ?? 0;

const discountIn = (order: OrderState | null): number => {
  let sum = order?.discountAmount ?? 0;
  for (const line of order?.lines ?? []) sum += line.discountAmount;
  return sum;
};

/** The redemptions of this request so far. Limits of later redeemables of the same campaign count them. An incentive
 *  occurs once in a request, so limits per incentive count none of them. Source: reference 02 §3.3. */
export class EarlierRedemptions {
  private readonly shares: Share[] = [];

  add(redeemable: Counting, step: AppliedStep): void {
    this.shares.push({
      campaign: campaignOf(redeemable),
      orderAmount: amountOf(step.after),
      discount: discountIn(step.after) - discountIn(step.before),
      credits: step.result.gift?.credits ?? 0,
    });
  }

  /** Returns what they add to the count or sum that a rule limits. */
  counted(ruleName: string, redeemable: Counting): number {
    const shareOf = this.shareFor(ruleName);
    const campaign = campaignOf(redeemable);
    let sum = 0;
    for (const share of this.shares) if (share.campaign === campaign) sum += shareOf(share);
    return sum;
  }

  private shareFor(ruleName: string): (share: Share) => number {
    if (ruleName.startsWith('campaign.redemptions.')) return () => 1;
    switch (ruleName) {
      case 'campaign.orders.amount':
        return ({ orderAmount }) => orderAmount;
      case 'campaign.orders.amount_discounted':
        return ({ discount }) => discount;
      case 'redemption.gift.amount':
        return ({ credits }) => credits;
      default:
        return () => 0;
    }
  }
}
