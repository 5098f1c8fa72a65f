import type { EventStore } from '@scrip/event-store';
import { pause } from '../../partition/pause';

/** What no commit rings for, or too early, is seen by looking: soon while commits come, and for a while after, as what was
 *  committed is readable only once older transactions have ended. A log at rest is looked at less often. */
const pollMs = { busy: 100, rest: 1_000 };
const busyForMs = 10_000;
/** Between reads that found all there was: each costs the broker a request and every consumer a transaction. A log that
 *  trickles is read soon; the more came at once, the longer the next ones gather. */
const restMs = { least: 40, perEvent: 4, most: 100 };
/** A commit is readable once older transactions have ended; until then the wake is followed up, then the poll does. */
const followUps = { most: 3, afterMs: 10 };

/** Says when it is worth reading a log again. */
export class WakeUps {
  private readonly unsubscribe: () => void;
  private unread = 0;
  private newsAt = performance.now();
  private ringing: (() => void) | undefined;

  constructor(store: Pick<EventStore, 'onCommit'>) {
    this.unsubscribe = store.onCommit(() => this.ring());
  }

  /** There may be something new. */
  ring(): void {
    this.unread = followUps.most;
    this.newsAt = performance.now();
    this.ringing?.();
  }

  /** After a read that found nothing. */
  async next(ended: AbortSignal): Promise<void> {
    if (this.unread > 0) {
      this.unread -= 1;
      return pause(followUps.afterMs, ended);
    }
    const rung = new AbortController();
    const end = (): void => rung.abort();
    this.ringing = end;
    ended.addEventListener('abort', end);
    const isBusy = performance.now() - this.newsAt < busyForMs;
    await pause(isBusy ? pollMs.busy : pollMs.rest, rung.signal);
    ended.removeEventListener('abort', end);
    this.ringing = undefined;
  }

  /** After a read that found all there was, `events` of them: lets commits gather. */
  rest(events: number, ended: AbortSignal): Promise<void> {
    this.newsAt = performance.now();
    return pause(Math.min(Math.max(events * restMs.perEvent, restMs.least), restMs.most), ended);
  }

  close(): void {
    this.unsubscribe();
  }
}
