import { type Scrip, waitUntil } from '@scrip/testing';

// Few, so that a slow machine answers all of them in time.
const callers = 4;
/** Campaigns that share a rule. */
const perRule = 5;

/** What the rules of campaigns demand: of ten, seven a product each, two a segment each, and one an amount that the measured
 *  order does not reach. */
const ruleOf = (nth: number): object => {
  const kind = nth % 10;
  if (kind < 7)
    return {
      ...{ name: 'order.items.any', conditions: { $is: [{ object: 'product', source_id: `sold-${nth}` }] } },
    };
  if (kind < 9) return { name: 'customer.segment', conditions: { $is: [`seg_${nth}`] } };
  return { name: 'order.initial_amount', conditions: { $more_than_or_equal: [1_000_000] } };
};

const inTurns = async (from: number, to: number, work: (nth: number) => Promise<void>): Promise<void> => {
  let next = from;
  const caller = async () => {
    for (let nth = next++; nth < to; nth = next++) await work(nth);
  };
  await Promise.all(Array.from({ length: callers }, caller));
};

/** A project's active campaigns of codes, each with a rule, of which an order qualifies for some. */
export class ManyCampaigns {
  private readonly rules: string[] = [];
  private count = 0;

  constructor(private readonly scrip: Scrip) {}

  /** Creates campaigns until there are so many, and waits until all of them are known to qualifications. */
  async growTo(count: number): Promise<void> {
    await inTurns(this.rules.length, Math.ceil(count / perRule), async (nth) => {
      const body = { name: `Bench ${nth}`, rules: { 1: ruleOf(nth) } };
      this.rules[nth] = (await this.scrip.ask<{ id: string }>('POST', '/v1/validation-rules', body)).id;
    });
    await inTurns(this.count, count, async (nth) => {
      await this.campaign(`${nth}`, [this.rules[Math.floor(nth / perRule)]!]);
    });
    this.count = count;
    // What is found is kept up in the order of the log.
    const last = await this.campaign(`last of ${count}`, []);
    await waitUntil(() => this.isFound(last), {
      ...{ what: `${count} campaigns to be found`, timeoutMs: 600_000, intervalMs: 500 },
    });
    await this.scrip.ask('POST', `/v1/campaigns/${last}/disable`, {});
  }

  /** The order that is asked about: of three products, each of which five campaigns demand. */
  order(): object {
    return {
      items: [0, 1, 2].map((nth) => ({
        ...{ source_id: `sold-${nth}`, related_object: 'product', price: 1_000, quantity: 1 },
      })),
    };
  }

  private async campaign(name: string, validation_rules: readonly string[]): Promise<string> {
    const { id } = await this.scrip.ask<{ id: string }>('POST', '/v1/campaigns', {
      ...{ name: `Bench qualification ${name} ${Date.now()}`, campaign_type: 'DISCOUNT_COUPONS' },
      voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
      ...(validation_rules.length > 0 ? { validation_rules } : {}),
    });
    return id;
  }

  private async isFound(id: string): Promise<boolean> {
    const options = { filters: { campaign_id: { conditions: { $is: [id] } } } };
    const body = { order: this.order(), options };
    const { redeemables } = await this.scrip.ask<{ redeemables: { total: number } }>(
      ...(['POST', '/v1/qualifications', body] as const),
    );
    return redeemables.total > 0;
  }
}
