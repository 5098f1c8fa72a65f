import { randomUUID } from 'node:crypto';
import type { Caller } from '../shape/caller';
import { RepeatedCalls } from './repeated-calls';

const publishable = 5_000;
const cardsCount = 5;
const balanceOfCard = 1_000_000;
const codesOfImport = 200;
/** Of these, how many the import before brought too. */
const repeatedCodes = 40;

/** Calls for each redemption of the load. */
const shares = { publication: 0.2, balance: 0.2, import: 1 / 60 };

/** What callers were told of vouchers. A call without an answer at last happened once or not at all. */
export interface VouchersTold {
  /** Codes by the source ids of their publications. */
  published: Map<string, string>;
  publicationsUnknown: number;
  /** Amounts by card that were answered, and how many calls were not. */
  cards: Map<string, { amounts: number[]; unknown: number }>;
  /** Codes of imports that were taken in. */
  imports: Map<string, readonly string[]>;
  importsUnknown: number;
  /** Answers that nothing in this load provokes. */
  unexpected: string[];
}

interface Answer {
  voucher?: { code: string };
  async_action_id?: string;
}

/** Publications of one campaign's codes, debits and credits of a few gift cards, and imports that share codes, beside the load of
 *  redemptions. Each call is repeated, under its source id or its key, until it is answered. */
export class VoucherLoad {
  readonly campaign = 'Chaos publications';
  readonly told: VouchersTold = {
    published: new Map(),
    publicationsUnknown: 0,
    cards: new Map(),
    imports: new Map(),
    importsUnknown: 0,
    unexpected: [],
  };
  private readonly run = randomUUID().slice(0, 8);

  private constructor(private readonly calls: RepeatedCalls) {}

  /** Makes the campaign and the cards. */
  static async prepare(caller: Caller, perSecond: number): Promise<VoucherLoad> {
    const calls = new RepeatedCalls(caller, perSecond);
    const load = new VoucherLoad(calls);
    await caller.ask('POST', '/v1/campaigns', {
      name: load.campaign,
      campaign_type: 'DISCOUNT_COUPONS',
      vouchers_count: publishable,
      voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } },
    });
    for (let n = 1; n <= cardsCount; n += 1) {
      const card = `CARD-${load.run}-${n}`;
      await caller.ask('POST', `/v1/vouchers/${card}`, {
        type: 'GIFT_VOUCHER',
        gift: { amount: balanceOfCard },
      });
      load.told.cards.set(card, { amounts: [], unknown: 0 });
    }
    return load;
  }

  start(): void {
    this.calls.beside(shares.publication, (n) => this.publish(n));
    this.calls.beside(shares.balance, (n) => this.adjust(n));
    this.calls.beside(shares.import, (n) => this.import(n));
  }

  /** Stops sending, and resolves when every call has ended. */
  async stop(): Promise<VouchersTold> {
    await this.calls.stop();
    return this.told;
  }

  private async publish(number: number): Promise<void> {
    const source_id = `${this.run}-${number}`;
    const body = {
      campaign: this.campaign,
      customer: { source_id: `reader-${number % 50}` },
      source_id,
    };
    const answer = await this.calls.untilAnswered<Answer>('/v1/publications', body, {});
    if (answer === null) this.told.publicationsUnknown += 1;
    else if (answer.status === 200) this.told.published.set(source_id, answer.voucher?.code ?? '');
    else this.refused('publication', answer, ['no_voucher_suitable_for_publication']);
  }

  private async adjust(number: number): Promise<void> {
    const [card, told] = [...this.told.cards][number % cardsCount]!;
    const amount = number % 3 === 0 ? -7 : 5;
    const key = { 'idempotency-key': randomUUID() };
    const answer = await this.calls.untilAnswered<Answer>(`/v1/vouchers/${card}/balance`, { amount }, key);
    if (answer === null) told.unknown += 1;
    else if (answer.status === 200) told.amounts.push(amount);
    else this.refused('balance', answer, []);
  }

  private async import(number: number): Promise<void> {
    const first = number * (codesOfImport - repeatedCodes);
    const codes = Array.from({ length: codesOfImport }, (_, n) => `IMPORT-${this.run}-${first + n}`);
    const body = codes.map((code) => ({
      code,
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'PERCENT', percent_off: 10 },
    }));
    const key = { 'idempotency-key': randomUUID() };
    const answer = await this.calls.untilAnswered<Answer>('/v1/vouchers/import', body, key);
    if (answer === null) this.told.importsUnknown += 1;
    else if (answer.status === 202 && answer.async_action_id)
      this.told.imports.set(answer.async_action_id, codes);
    else this.refused('import', answer, []);
  }

  private refused(
    what: string,
    { status, key = '' }: { status: number; key?: string },
    expected: readonly string[],
  ): void {
    if (!expected.includes(key)) this.told.unexpected.push(`${what}: ${status} ${key}`);
  }
}

/** The balance that each card began with. */
export const initialBalance = balanceOfCard;
