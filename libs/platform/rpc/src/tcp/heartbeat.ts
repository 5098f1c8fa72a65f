/** Detects a peer that is gone although the connection was not closed. It counts its own beats without a received
 *  byte, not time, so that a process that was paused does not take its peers for dead. */
export class Heartbeat {
  private silence = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(options: { everyMs: number; silentBeats: number; beat: () => void; gone: () => void }) {
    this.timer = setInterval(() => {
      if (this.silence >= options.silentBeats) return options.gone();
      this.silence += 1;
      options.beat();
    }, options.everyMs);
    this.timer.unref();
  }

  /** Returns whether the last beats went unanswered, before the peer counts as gone. */
  get isDoubtful(): boolean {
    return this.silence >= 2;
  }

  /** Call it when bytes were received. */
  heard(): void {
    this.silence = 0;
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
