import type { EventStore } from '@scrip/event-store';
import { pause } from '../../partition/pause';

/** Other processes' commits are seen by looking. */
const pollMs = 100;
/** Between reads that found all there was: each costs the broker a request and every consumer a transaction. A log that
 *  trickles is read soon; the more came at once, the longer the next ones gather. */
const restMs = { least: 40, perEvent: 4, most: 100 };
/** A commit is readable once older transactions have ended; until then the wake is followed up, then the poll does. */
const followUps = { most: 3, afterMs: 10 };

/** Says when it is worth reading a log again. */
export class WakeUps {
  private readonly unsubscribe: () => void;
  private unread = 0;
  private ringing: (() => void) | undefined;

  constructor(store: Pick<EventStore, 'onCommit'>) {
    this.unsubscribe = store.onCommit(() => this.ring());
  }

  /** There may be something new. */
  ring(): void {
    this.unread = followUps.most;
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
    await pause(pollMs, rung.signal);
    ended.removeEventListener('abort', end);
    this.ringing = undefined;
  }

  /** After a read that found all there was, `events` of them: lets commits gather. */
  rest(events: number, ended: AbortSignal): Promise<void> {
    return pause(Math.min(Math.max(events * restMs.perEvent, restMs.least), restMs.most), ended);
  }

  close(): void {
    this.unsubscribe();
  }
}
