import { randomUUID } from 'node:crypto';
import type { Caller } from '../shape/caller';
import { RepeatedCalls } from './repeated-calls';

const balanceOfCard = 100_000_000;
const creditsOfSession = 5;
/** Sessions for each redemption of the load. */
const share = 1 / 8;

/** What callers were told of sessions. A call without an answer at last happened once or not at all. */
export interface SessionsTold {
  run: string;
  card: string;
  /** Keys of sessions that a redemption used up, or that were released. */
  ended: string[];
  /** Keys of sessions whose hold was not answered at first: that call may hold anew once the session has ended. */
  heldTwice: Set<string>;
  /** Ids of redemptions, those of a stack each by itself. */
  redemptions: string[];
  unknown: number;
  /** Keys of sessions that a failed redemption should have kept, and that were gone. */
  lost: string[];
  /** Codes that a call redeemed without the key of the session that held them. */
  taken: string[];
  /** Answers that nothing in this load provokes. */
  unexpected: string[];
}

interface Answer {
  session?: { key: string };
  redemptions?: { id: string }[];
}

/** A code with one use, and the session that holds it together with credits of the card. */
interface Held {
  code: string;
  key: string;
}

/** What the code of the n-th session starts with. */
export const heldCodes = (run: string): string => `HELD-${run}-`;

/** Sessions on a code of their own and a shared gift card, beside the load of redemptions: one in four is redeemed while another caller
 *  tries without its key, one holds the card alone at last, one is released, and one is kept by a redemption that fails and then released.
 *  Each call is repeated until it is answered. */
export class SessionLoad {
  readonly told: SessionsTold;
  private readonly calls: RepeatedCalls;

  private constructor(caller: Caller, perSecond: number) {
    this.calls = new RepeatedCalls(caller, perSecond);
    const run = randomUUID().slice(0, 8);
    const empty = {
      ended: [],
      heldTwice: new Set<string>(),
      redemptions: [],
      unknown: 0,
      lost: [],
      taken: [],
      unexpected: [],
    };
    this.told = { run, card: `HELD-CARD-${run}`, ...empty };
  }

  /** Makes the card. */
  static async prepare(caller: Caller, perSecond: number): Promise<SessionLoad> {
    const load = new SessionLoad(caller, perSecond);
    const gift = { amount: balanceOfCard };
    await caller.ask('POST', `/v1/vouchers/${load.told.card}`, { type: 'GIFT_VOUCHER', gift });
    return load;
  }

  start(): void {
    this.calls.beside(share, (number) => this.next(number));
  }

  /** Stops sending, and resolves when every call has ended. */
  async stop(): Promise<SessionsTold> {
    await this.calls.stop();
    return this.told;
  }

  private async next(number: number): Promise<void> {
    const held = { code: `${heldCodes(this.told.run)}${number}`, key: `${this.told.run}-${number}` };
    if (!(await this.makeCode(held.code))) return;
    if (!(await this.hold(held.key, [held.code, this.told.card]))) return;
    const ways = [
      () => this.redeemed(held),
      () => this.overridden(held),
      () => this.released(held),
      () => this.keptThenReleased(held),
    ];
    await ways[number % ways.length]!();
  }

  private async redeemed({ code, key }: Held): Promise<void> {
    await Promise.all([this.end(key, [code, this.told.card]), this.tryWithoutKey(code)]);
  }

  /** The session holds the card alone then: the code is for others. */
  private async overridden({ code, key }: Held): Promise<void> {
    if (!(await this.hold(key, [this.told.card]))) return;
    await this.redeem('redemption of what a session let go', [code]);
    await this.end(key, [this.told.card]);
  }

  private async released(held: Held): Promise<void> {
    if (await this.release(held)) await this.redeem('redemption of what a session had released', [held.code]);
  }

  private async keptThenReleased(held: Held): Promise<void> {
    const failed = await this.askToRedeem([held.code, 'NO-SUCH-CODE'], held.key);
    if (failed !== null && failed.status !== 404) this.unlike('failing redemption', failed);
    await this.tryWithoutKey(held.code);
    await this.release(held);
  }

  /** Returns whether the session was told to hold exactly these. */
  private async hold(key: string, codes: readonly string[]): Promise<boolean> {
    const body = this.body(codes, { type: 'LOCK', key, ttl: 1, ttl_unit: 'HOURS' });
    const answer = await this.calls.untilAnswered<Answer>('/v1/validations', body, {});
    if (answer === null) this.told.unknown += 1;
    else if (answer.session?.key !== key) this.unlike('validation', answer);
    if (answer !== null && answer.tries > 1) this.told.heldTwice.add(key);
    return answer?.session?.key === key;
  }

  /** Redeems with the key of a session, which then is used up. */
  private async end(key: string, codes: readonly string[]): Promise<void> {
    if (await this.redeem('redemption with the key', codes, key)) this.told.ended.push(key);
  }

  private async redeem(what: string, codes: readonly string[], key?: string): Promise<boolean> {
    const answer = await this.askToRedeem(codes, key);
    if (answer !== null && answer.status !== 200) this.unlike(what, answer);
    return answer?.status === 200;
  }

  private async tryWithoutKey(code: string): Promise<void> {
    const answer = await this.askToRedeem([code]);
    if (answer?.status === 200) this.told.taken.push(code);
    else if (answer !== null && answer.key !== 'quantity_exceeded')
      this.unlike('redemption without the key', answer);
  }

  private async askToRedeem(codes: readonly string[], key?: string) {
    const body = this.body(codes, key === undefined ? undefined : { key });
    const own = { 'idempotency-key': randomUUID() };
    const answer = await this.calls.untilAnswered<Answer>('/v1/redemptions', body, own);
    if (answer === null) this.told.unknown += 1;
    else if (answer.status === 200) this.told.redemptions.push(...answer.redemptions!.map(({ id }) => id));
    return answer;
  }

  /** Returns whether the session was told to be released from both. */
  private async release({ code, key }: Held): Promise<boolean> {
    for (const held of [code, this.told.card]) {
      const { answer, tries } = await this.calls.untilDeleted(`/v1/vouchers/${held}/sessions/${key}`);
      // 404 where the answer of an earlier try was lost.
      if (answer === 404 && tries === 1) this.told.lost.push(key);
      else if (answer === null) this.told.unknown += 1;
      else if (answer !== 204 && answer !== 404) this.unlike('release', { status: answer });
      if (answer !== 204 && answer !== 404) return false;
    }
    this.told.ended.push(key);
    return true;
  }

  private async makeCode(code: string): Promise<boolean> {
    const answer = await this.calls.untilAnswered(
      `/v1/vouchers/${code}`,
      {
        type: 'DISCOUNT_VOUCHER',
        discount: { type: 'AMOUNT', amount_off: 100 },
        redemption: { quantity: 1 },
      },
      { 'idempotency-key': randomUUID() },
    );
    if (answer !== null && answer.status !== 200) this.unlike('code', answer);
    return answer?.status === 200;
  }

  private unlike(what: string, { status, key = '' }: { status: number; key?: string }): void {
    this.told.unexpected.push(`${what}: ${status} ${key}`);
  }

  private body(codes: readonly string[], session?: object) {
    const gift = { credits: creditsOfSession };
    const redeemables = codes.map((id) => ({
      object: 'voucher',
      id,
      ...(id === this.told.card ? { gift } : {}),
    }));
    return { redeemables, order: { amount: 10_000 }, ...(session ? { session } : {}) };
  }
}

/** What the checks hold the card against. */
export const heldCard = { balance: balanceOfCard, credits: creditsOfSession };
