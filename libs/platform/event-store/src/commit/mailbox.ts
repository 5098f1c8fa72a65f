import type { EventData } from '../aggregate/event';
import type { PendingCommand } from './pending-command';

const batchMax = 256;

/** Commands for one stream: while one batch is in flight the others wait, and then go together. */
export class Mailbox<State, Event extends EventData> {
  private waiting: PendingCommand<State, Event>[] = [];
  private running = false;

  /** `commit` replies to all members of a batch and never throws; `emptied` is called when nothing is left to do. */
  constructor(
    private readonly commit: (batch: readonly PendingCommand<State, Event>[]) => Promise<void>,
    private readonly emptied: () => void,
  ) {}

  get depth(): number {
    return this.waiting.length;
  }

  add(member: PendingCommand<State, Event>): void {
    this.waiting.push(member);
    if (this.running) return;
    this.running = true;
    this.startSoon();
  }

  // Commands of this turn of the event loop go along.
  private startSoon(): void {
    setImmediate(() => void this.next());
  }

  private async next(): Promise<void> {
    const batch = this.take();
    if (batch.length > 0) await this.commit(batch);
    if (this.waiting.length > 0) {
      this.startSoon();
      return;
    }
    this.running = false;
    this.emptied();
  }

  // A decision that needs the transaction for itself goes alone.
  private take(): PendingCommand<State, Event>[] {
    this.waiting = this.waiting.filter(({ answered }) => !answered);
    const exclusiveAt = this.waiting
      .slice(0, batchMax)
      .findIndex(({ decideReading }) => decideReading !== null);
    return this.waiting.splice(0, exclusiveAt === -1 ? batchMax : Math.max(exclusiveAt, 1));
  }
}
