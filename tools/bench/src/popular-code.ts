import type { Scrip } from '@scrip/testing';
import { type Call, type Load, callOf, closedLoop } from './load';

/** How many redeem it at once. */
export const callersOfPopularCode = 64;

/** An unlimited code that 64 callers redeem at once. */
export class PopularCode {
  private readonly loads: Load[] = [];

  private constructor(
    private readonly scrip: Scrip,
    private readonly code: string,
    private readonly redemption: Call,
  ) {}

  static async of(scrip: Scrip): Promise<PopularCode> {
    const name = `popular-${Date.now()}`;
    const campaign = await scrip.ask<{ id: string }>('POST', '/v1/campaigns', {
      name,
      campaign_type: 'DISCOUNT_COUPONS',
      voucher: {
        type: 'DISCOUNT_VOUCHER',
        discount: { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ORDER' },
      },
    });
    await scrip.ask('POST', `/v1/campaigns/${campaign.id}/vouchers/${name}`, {});
    const redemption = callOf(scrip, '/v1/redemptions', () => ({
      redeemables: [{ object: 'voucher', id: name }],
    }));
    return new PopularCode(scrip, name, redemption);
  }

  async redeem(seconds: number): Promise<Load> {
    const load = await closedLoop(this.redemption, callersOfPopularCode, seconds);
    this.loads.push(load);
    return load;
  }

  /** Uses that were answered 2xx, all that were counted, and calls that were refused. */
  async uses(): Promise<{ answered: number; counted: number; refused: number }> {
    const { redemption } = await this.scrip.ask<{ redemption: { redeemed_quantity: number } }>(
      'GET',
      `/v1/vouchers/${this.code}`,
    );
    const sum = (of: (load: Load) => number): number =>
      this.loads.reduce((total, load) => total + of(load), 0);
    return {
      answered: sum(({ latenciesMs }) => latenciesMs.length),
      counted: redemption.redeemed_quantity,
      refused: sum(({ refused }) => refused),
    };
  }
}
