import { Injectable } from '@nestjs/common';

/** How long a question about a redemption waits for the redemption's own verdict, ms. Long enough for a batch or two,
 *  short beside any caller's deadline. */
const ownVerdictWaitMs = 1_000;

interface Tracked {
  startedAtMs: number;
  ended: Promise<void>;
  end: () => void;
}

/** The redemptions that this process has claims for and no verdict yet. A question about one of them waits for a
 *  moment: an owner that meets a provisional claim of this very process would otherwise abandon it, and of two
 *  requests for a last use none would have it. The answer stays binding: asking still inserts ABANDONED afterwards.
 *  Machine time: how long callers wait. */
@Injectable()
export class InFlightRedemptions {
  private readonly tracked = new Map<string, Tracked>();

  /** Runs what claims and records under an id. */
  async during<T>(redemptionId: string, work: () => Promise<T>): Promise<T> {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    this.tracked.set(redemptionId, { startedAtMs: Date.now(), ended, end });
    try {
      return await work();
    } finally {
      this.ended(redemptionId);
    }
  }

  /** Its verdict stands, before the rest of the work is done. */
  ended(redemptionId: string): void {
    this.tracked.get(redemptionId)?.end();
    this.tracked.delete(redemptionId);
  }

  /** Until none of the ids is under way here, at most `waitMs`. */
  async settled(redemptionIds: readonly string[], waitMs: number = ownVerdictWaitMs): Promise<void> {
    const open = redemptionIds.flatMap((id) => this.tracked.get(id)?.ended ?? []);
    if (open.length === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<void>((resolve) => (timer = setTimeout(resolve, waitMs)));
    await Promise.race([Promise.all(open), tooLong]);
    clearTimeout(timer);
  }

  /** Age of the oldest, seconds; 0 where nothing is under way. */
  oldestSeconds(): number {
    const [oldest] = this.tracked.values();
    return oldest ? (Date.now() - oldest.startedAtMs) / 1_000 : 0;
  }
}
