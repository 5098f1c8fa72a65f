import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../shape/caller';

const answerWithinMs = 12_000;
/** Pauses between the tries of a call: beyond the 60 s for which a killed one keeps its key. */
const retriesMs = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 20_000, 20_000];

/** Calls at a pace, each repeated until it is answered. */
export class RepeatedCalls {
  private readonly open = new Set<Promise<void>>();
  private readonly timers: NodeJS.Timeout[] = [];

  /** `perSecond` is the pace of the redemptions that these calls go beside. */
  constructor(
    private readonly caller: Caller,
    private readonly perSecond: number,
  ) {}

  /** Begins `share` calls for each redemption, whatever became of the ones before; `number` counts from 1. */
  beside(share: number, call: (number: number) => Promise<void>): void {
    const everyMs = 1_000 / (share * this.perSecond);
    let number = 0;
    this.timers.push(
      setInterval(() => {
        const running = call((number += 1));
        this.open.add(running);
        void running.finally(() => this.open.delete(running));
      }, everyMs),
    );
  }

  /** Begins none any more, and resolves when every call has ended. */
  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    while (this.open.size > 0) await Promise.all(this.open);
  }

  /** Posts until an answer comes that is no 5xx, no conflict and no refusal of a use in flight; null where none comes at last:
   *  the call then happened once or not at all. */
  async untilAnswered<Answer extends object>(
    path: string,
    body: unknown,
    headers: object,
  ): Promise<(Answer & { status: number; key?: string; tries: number }) | null> {
    for (let tries = 0; ; tries += 1) {
      const answer = await this.post<Answer>(path, body, headers);
      const isOver = answer !== null && answer.status < 500 && answer.status !== 409;
      if (isOver && answer.key !== 'multiple_requests') return { ...answer, tries: tries + 1 };
      const retryMs = retriesMs[tries];
      if (retryMs === undefined) return null;
      await pause(retryMs);
    }
  }

  /** Deletes until an answer comes that is no 5xx and no refusal of a use in flight; its status, null where none comes at last. */
  async untilDeleted(path: string): Promise<{ answer: number | null; tries: number }> {
    for (let tries = 1; ; tries += 1) {
      const answer = await this.delete(path);
      if (answer !== null && answer < 500 && answer !== 400) return { answer, tries };
      const retryMs = retriesMs[tries - 1];
      if (retryMs === undefined) return { answer: null, tries };
      await pause(retryMs);
    }
  }

  private async delete(path: string): Promise<number | null> {
    try {
      const { status } = await fetch(this.caller.origin + path, {
        method: 'DELETE',
        headers: { ...this.caller.serverKeys },
        signal: AbortSignal.timeout(answerWithinMs),
      });
      return status;
    } catch {
      return null;
    }
  }

  private async post<Answer>(
    path: string,
    body: unknown,
    headers: object,
  ): Promise<(Answer & { status: number; key?: string }) | null> {
    try {
      const response = await fetch(this.caller.origin + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...this.caller.serverKeys, ...headers },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(answerWithinMs),
      });
      return { ...((await response.json()) as Answer), status: response.status };
    } catch {
      return null;
    }
  }
}
