import type { EventStore } from '@scrip/event-store';
import { pause } from '../../partition/pause';

/** Other processes' commits are seen by looking. */
const pollMs = 100;
/** Reads begin at most this often while the log trickles: each costs every consumer a transaction. */
const restMs = 40;
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

  /** After a read that found all there was: lets commits gather. */
  rest(ended: AbortSignal): Promise<void> {
    return pause(restMs, ended);
  }

  close(): void {
    this.unsubscribe();
  }
}
