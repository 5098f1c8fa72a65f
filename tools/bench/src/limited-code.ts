import type { Scrip } from '@scrip/testing';
import { type Call, type Load, callOf, closedLoop } from './load';
import { callersOfPopularCode } from './popular-code';

/** Customers who redeem it by turns. */
const customers = 1_000;

const unreached = { $less_than_or_equal: [1_000_000_000] };

const limits = {
  name: 'Limits that are never reached',
  rules: {
    1: { name: 'campaign.redemptions.count', conditions: unreached },
    2: { name: 'redemption.count.per_customer', conditions: unreached },
  },
};

/** A code of a campaign that 64 callers redeem at once for 1,000 customers. */
export class CustomersCode {
  private readonly loads: Load[] = [];

  private constructor(private readonly redemption: Call) {}

  /** `isLimited`: its campaign has a limit of its own and one per customer. */
  static async of(scrip: Scrip, { isLimited }: { isLimited: boolean }): Promise<CustomersCode> {
    const name = `${isLimited ? 'limited' : 'open'}-${Date.now()}`;
    const rule = isLimited
      ? await scrip.ask<{ id: string }>('POST', '/v1/validation-rules', { ...limits, name })
      : null;
    const campaign = await scrip.ask<{ id: string }>('POST', '/v1/campaigns', {
      name,
      campaign_type: 'DISCOUNT_COUPONS',
      voucher: {
        type: 'DISCOUNT_VOUCHER',
        discount: { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ORDER' },
      },
      ...(rule ? { validation_rules: [rule.id] } : {}),
    });
    await scrip.ask('POST', `/v1/campaigns/${campaign.id}/vouchers/${name}`, {});
    let nth = 0;
    return new CustomersCode(
      callOf(scrip, '/v1/redemptions', () => ({
        redeemables: [{ object: 'voucher', id: name }],
        customer: { source_id: `limited-${(nth += 1) % customers}` },
      })),
    );
  }

  async redeem(seconds: number): Promise<void> {
    this.loads.push(await closedLoop(this.redemption, callersOfPopularCode, seconds));
  }

  /** Redemptions per second over all slices but the first, and calls that were refused. */
  figures(): { perSecond: number; refused: number } {
    const sum = (of: (load: Load) => number, loads = this.loads.slice(1)): number =>
      loads.reduce((total, load) => total + of(load), 0);
    return {
      perSecond: (sum(({ latenciesMs }) => latenciesMs.length) * 1_000) / sum(({ elapsedMs }) => elapsedMs),
      refused: sum(({ refused }) => refused, this.loads),
    };
  }
}
