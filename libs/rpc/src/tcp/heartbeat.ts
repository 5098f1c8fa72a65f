/** Notices that the other side is gone although nobody closed the connection. It counts its own beats without a byte
 *  received, not time: a process that stood still for seconds does not blame its peers for it. */
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

  /** The last beats went unanswered, though it may be too early to give up. */
  get isDoubtful(): boolean {
    return this.silence >= 2;
  }

  /** Something was received. */
  heard(): void {
    this.silence = 0;
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
