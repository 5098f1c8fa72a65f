import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../shape/caller';
import { Told } from './told';

/** What to redeem: codes without a limit, and some that run out. */
export interface Codes {
  unlimited: readonly string[];
  limited: readonly string[];
}

interface Answer {
  status: number;
  key?: string;
  redemptions?: { id: string }[];
  parent_redemption?: { id: string };
}

const codesCount = 20;
const limit = 30;
/** Beyond the deadline of a call. */
const answerWithinMs = 12_000;
/** Pauses between the tries of a keyed call: beyond the 60 s for which a killed one keeps its key. */
const retriesMs = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 20_000, 20_000];

/** Makes the codes of a load. */
export const prepareCodes = async (caller: Caller): Promise<Codes> => {
  const codesOf = async (name: string, quantity: number | null): Promise<string[]> => {
    const campaign = await caller.ask<{ id: string }>('POST', '/v1/campaigns', {
      name: `Chaos ${name}`,
      campaign_type: 'DISCOUNT_COUPONS',
      voucher: {
        type: 'DISCOUNT_VOUCHER',
        discount: { type: 'AMOUNT', amount_off: 100 },
        redemption: { quantity },
      },
    });
    const codes = Array.from({ length: codesCount }, (_, index) => `${name}-${index + 1}`);
    for (const code of codes) await caller.ask('POST', `/v1/campaigns/${campaign.id}/vouchers/${code}`, {});
    return codes;
  };
  return { unlimited: await codesOf('OPEN', null), limited: await codesOf('FEW', limit) };
};

/** Calls like a shop's: an open loop of redemptions, one in five a stack, one in five under an Idempotency-Key that is
 *  repeated until it is answered, one in ten on a code that runs out, one in twenty rolled back; and a validation for
 *  every fourth. */
export class Load {
  readonly told = new Told();
  private readonly open = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private sent = 0;
  private readonly run = randomUUID().slice(0, 8);

  constructor(
    private readonly caller: Caller,
    private readonly codes: Codes,
    private readonly perSecond: number,
  ) {}

  start(): void {
    const startedAt = performance.now();
    const already = this.sent;
    this.timer = setInterval(() => {
      const due = already + Math.floor(((performance.now() - startedAt) * this.perSecond) / 1_000);
      while (this.sent < due) this.next();
    }, 10);
  }

  /** Stops sending, and resolves when every call has ended. */
  async stop(): Promise<Told> {
    clearInterval(this.timer);
    while (this.open.size > 0) await Promise.all(this.open);
    return this.told;
  }

  private next(): void {
    const number = (this.sent += 1);
    this.during(this.redeem(number));
    if (number % 4 === 0) this.during(this.validate(number));
  }

  private during(call: Promise<void>): void {
    this.open.add(call);
    void call.finally(() => this.open.delete(call));
  }

  private codesFor(number: number): string[] {
    const { unlimited, limited } = this.codes;
    const nth = (of: readonly string[], index: number) => of[index % of.length] as string;
    if (number % 10 === 3) return [nth(limited, number)];
    return number % 5 === 1 ? [nth(unlimited, number), nth(unlimited, number + 1)] : [nth(unlimited, number)];
  }

  private async redeem(number: number): Promise<void> {
    const call = `${this.run}-${number}`;
    const isKeyed = number % 5 === 2;
    const body = {
      redeemables: this.codesFor(number).map((id) => ({ object: 'voucher', id })),
      order: { amount: 10_000 },
      metadata: { call },
    };
    const key = isKeyed ? { 'idempotency-key': randomUUID() } : {};
    for (let tries = 0; ; tries += 1) {
      const answer = await this.post('/v1/redemptions', body, key);
      const isOver = answer !== null && answer.status !== 503 && answer.status !== 409;
      if (isOver) return this.ended(call, number, answer);
      const retryMs = isKeyed ? retriesMs[tries] : undefined;
      if (retryMs === undefined) {
        this.told.calls.set(call, { end: 'unknown' });
        return;
      }
      await pause(retryMs);
    }
  }

  private async ended(call: string, number: number, answer: Answer): Promise<void> {
    const id = (answer.parent_redemption ?? answer.redemptions?.[0])?.id;
    if (answer.status !== 200 || !id) {
      this.told.calls.set(call, { end: answer.status < 500 ? 'refused' : 'unknown' });
      return;
    }
    this.told.calls.set(call, { end: 'acknowledged', id });
    if (number % 20 !== 4 || answer.parent_redemption) return;
    const undone = await this.post(`/v1/redemptions/${id}/rollback`, {}, {});
    if (undone?.status === 200) this.told.rolledBack.add(id);
  }

  private async validate(number: number): Promise<void> {
    const redeemables = this.codesFor(number).map((id) => ({ object: 'voucher', id }));
    await this.post('/v1/validations', { redeemables, order: { amount: 10_000 } }, {});
  }

  /** Null where no answer came. */
  private async post(path: string, body: unknown, headers: object): Promise<Answer | null> {
    const startedAt = performance.now();
    const told = (answer: string): void => this.told.answered(answer, performance.now() - startedAt);
    try {
      const response = await fetch(this.caller.origin + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...this.caller.serverKeys, ...headers },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(answerWithinMs),
      });
      const answer = (await response.json()) as Omit<Answer, 'status'>;
      told(response.status === 200 ? '200' : `${response.status} ${answer.key}`);
      return { ...answer, status: response.status };
    } catch (error) {
      told(error instanceof DOMException ? `no answer within ${answerWithinMs / 1_000} s` : 'none');
      return null;
    }
  }
}
