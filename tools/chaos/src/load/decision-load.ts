import { randomUUID } from 'node:crypto';
import type { Caller } from '../shape/caller';
import { RepeatedCalls } from './repeated-calls';

const cardsCount = 3;
const balanceOfCard = 100_000_000;
const creditsOfStack = 7;
/** Redemptions that the limited campaign takes; reached after some 75 s at 20/s. */
const campaignLimit = 150;
/** Calls that each customer of the limited campaign makes, all but one of which it refuses. */
const callsOfCustomer = 2;
/** Calls for each redemption of the load. */
const shares = { stack: 0.2, limited: 0.2 };

/** What callers were told of decisions. A call without an answer at last happened once or not at all. */
export interface DecisionsTold {
  run: string;
  /** Parents of stacks by the card that they took credits of, and how many calls were not answered. */
  stacks: Map<string, { parents: string[]; unknown: number }>;
  /** Redemptions of the limited campaign by customer. */
  limited: { customer: string; id: string }[];
  limitedUnknown: number;
  limitedRefused: number;
  /** Answers that nothing in this load provokes. */
  unexpected: string[];
}

interface Answer {
  redemptions?: { id: string }[];
  parent_redemption?: { id: string };
}

interface Made {
  id: string;
}

const refusalOfLimits = 'redemption_rules_violated';

/** Stacks of a code, a gift card and a promotion tier, and a campaign whose rules limit its redemptions and those of each
 *  customer, beside the load of redemptions. Each call is repeated under its key until it is answered. */
export class DecisionLoad {
  readonly told: DecisionsTold;

  private constructor(
    private readonly calls: RepeatedCalls,
    private readonly made: { tier: string; code: string; limitedCodes: string[] },
  ) {
    this.told = {
      run: randomUUID().slice(0, 8),
      stacks: new Map(),
      limited: [],
      limitedUnknown: 0,
      limitedRefused: 0,
      unexpected: [],
    };
  }

  /** Makes the codes, the cards, the tier and the rule. */
  static async prepare(caller: Caller, perSecond: number): Promise<DecisionLoad> {
    const calls = new RepeatedCalls(caller, perSecond);
    const promotion = await caller.ask<{ promotion: { tiers: Made[] } }>('POST', '/v1/campaigns', {
      name: 'Chaos tiers',
      campaign_type: 'PROMOTION',
      promotion: { tiers: [{ name: 'Chaos', action: { discount: { type: 'AMOUNT', amount_off: 50 } } }] },
    });
    const code = 'STACKED';
    await caller.ask('POST', `/v1/vouchers/${code}`, {
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'PERCENT', percent_off: 10 },
    });
    const load = new DecisionLoad(calls, {
      tier: promotion.promotion.tiers[0]!.id,
      code,
      limitedCodes: await limitedCodes(caller),
    });
    for (let n = 1; n <= cardsCount; n += 1) {
      const card = `STACK-${load.told.run}-${n}`;
      await caller.ask('POST', `/v1/vouchers/${card}`, {
        type: 'GIFT_VOUCHER',
        gift: { amount: balanceOfCard },
      });
      load.told.stacks.set(card, { parents: [], unknown: 0 });
    }
    return load;
  }

  start(): void {
    this.calls.beside(shares.stack, (n) => this.redeemStack(n));
    this.calls.beside(shares.limited, (n) => this.redeemLimited(n));
  }

  /** Stops sending, and resolves when every call has ended. */
  async stop(): Promise<DecisionsTold> {
    await this.calls.stop();
    return this.told;
  }

  private redeem(redeemables: object[], more: object) {
    const body = { redeemables, order: { amount: 10_000 }, ...more };
    return this.calls.untilAnswered<Answer>('/v1/redemptions', body, { 'idempotency-key': randomUUID() });
  }

  private async redeemStack(number: number): Promise<void> {
    const [card, told] = [...this.told.stacks][number % cardsCount]!;
    const answer = await this.redeem(
      [
        { object: 'voucher', id: this.made.code },
        { object: 'voucher', id: card, gift: { credits: creditsOfStack } },
        { object: 'promotion_tier', id: this.made.tier },
      ],
      {},
    );
    if (answer === null) told.unknown += 1;
    else if (answer.status === 200 && answer.parent_redemption)
      told.parents.push(answer.parent_redemption.id);
    else this.told.unexpected.push(`stack: ${answer.status} ${answer.key}`);
  }

  private async redeemLimited(number: number): Promise<void> {
    const { limitedCodes: codes } = this.made;
    const nth = Math.floor(number / callsOfCustomer);
    const customer = `limited-${this.told.run}-${nth}`;
    const answer = await this.redeem([{ object: 'voucher', id: codes[nth % codes.length] }], {
      customer: { source_id: customer },
    });
    if (answer === null) this.told.limitedUnknown += 1;
    else if (answer.status === 200 && answer.redemptions?.[0])
      this.told.limited.push({ customer, id: answer.redemptions[0].id });
    else if (answer.key === refusalOfLimits) this.told.limitedRefused += 1;
    else this.told.unexpected.push(`limited: ${answer.status} ${answer.key}`);
  }
}

const limitedCodesCount = 10;

const limitedCodes = async (caller: Caller): Promise<string[]> => {
  const rule = await caller.ask<Made>('POST', '/v1/validation-rules', {
    name: 'Chaos limits',
    rules: {
      1: { name: 'campaign.redemptions.count', conditions: { $less_than_or_equal: [campaignLimit] } },
      2: { name: 'redemption.count.per_customer', conditions: { $less_than_or_equal: [1] } },
    },
  });
  const campaign = await caller.ask<Made>('POST', '/v1/campaigns', {
    name: limitedCampaign,
    campaign_type: 'DISCOUNT_COUPONS',
    voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } },
    validation_rules: [rule.id],
  });
  const codes = Array.from({ length: limitedCodesCount }, (_, index) => `LIMITED-${index + 1}`);
  for (const code of codes) await caller.ask('POST', `/v1/campaigns/${campaign.id}/vouchers/${code}`, {});
  return codes;
};

/** What the checks hold the answers against. */
export const limitedCampaign = 'Chaos limited';
export const stackOf = { redeemables: 3, credits: creditsOfStack, balance: balanceOfCard };
export const limits = { campaign: campaignLimit, customer: 1 };
