import { type NotedCall, notedTogether } from '@scrip/contracts/operations';
import { halfForEach, SharedBudget } from '@scrip/kernel';

const waitingMax = 10_000;
/** About a minute, where each second another try comes. */
const triesMax = 60;

/** Where notes go. */
export interface CallNotesOptions {
  /** Stores at most `notedTogether` notes. May get notes that it has had. */
  store: (calls: NotedCall[]) => Promise<void>;
  /** So many notes will not be in the log. */
  lost: (count: number) => void;
  /** Notes that wait; one project takes at most half. Default 10,000. */
  waitingMax?: number;
}

interface WaitingNote {
  call: NotedCall;
  giveBack: () => void;
}

/** Notes of calls that wait to be stored, in memory. No call waits for them: what finds no room, and what cannot be stored in 60 tries,
 *  is lost and counted. Source: ADR 151. */
export class CallNotes {
  private waiting: WaitingNote[] = [];
  private readonly room: SharedBudget;
  private settling: Promise<void> | undefined;
  private tries = 0;

  constructor(private readonly options: CallNotesOptions) {
    this.room = new SharedBudget(halfForEach(options.waitingMax ?? waitingMax));
  }

  /** Never throws, never waits. */
  add(call: NotedCall): void {
    const giveBack = this.room.take(call.project_id);
    if (!giveBack) return this.options.lost(1);
    this.waiting.push({ call, giveBack });
    // Where nothing can be stored, only the next second tries again.
    if (this.waiting.length >= notedTogether && this.tries === 0) this.settle().catch(() => undefined);
  }

  /** Stores what waits, statement after statement. Throws what the store throws; the notes wait for the next time then. */
  settle(): Promise<void> {
    this.settling ??= this.storeAll().finally(() => (this.settling = undefined));
    return this.settling;
  }

  /** Stores what waits a last time; what cannot be stored is lost. Throws what the store throws. */
  async close(): Promise<void> {
    await this.settling?.catch(() => undefined);
    try {
      await this.settle();
    } finally {
      if (this.waiting.length > 0) this.options.lost(this.waiting.length);
      this.takeOut(this.waiting.length);
    }
  }

  private async storeAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const calls = this.waiting.slice(0, notedTogether).map(({ call }) => call);
      try {
        await this.options.store(calls);
      } catch (error) {
        this.tries += 1;
        if (this.tries >= triesMax) this.giveUp(calls.length);
        throw error;
      }
      this.tries = 0;
      this.takeOut(calls.length);
    }
  }

  private giveUp(count: number): void {
    this.tries = 0;
    this.takeOut(count);
    this.options.lost(count);
  }

  private takeOut(count: number): void {
    for (const { giveBack } of this.waiting.splice(0, count)) giveBack();
  }
}
