const beatMs = 500;
/** Whoever says nothing for longer while requests wait is asked whether it lives. */
const silenceMs = 1_000;
/** One unanswered question may be our own fault: this process may have stood still. */
const questionsMax = 2;
/** How long an answer is waited for: nobody shall wait for a silent network; a lost address may be just slow. */
const patienceMs = { answering: 1_250, lost: 4_000 };

/** Whether an address answers. While requests wait and nothing comes, it is asked for its health; one that says nothing
 *  twice is lost, as is one that takes no connections, until it answers that question again. So nobody waits for a
 *  silent network until his deadline, and no request is sent to find out whether a service is back. */
export class HealthProbe {
  private waiting = 0;
  private heardAt = 0;
  private lost = false;
  private isAsking = false;
  private isClosed = false;
  private timer: NodeJS.Timeout | undefined;

  /** `isAlive` asks the address; `onSilence` ends what waits for it. */
  constructor(
    private readonly isAlive: (patienceMs: number) => Promise<boolean>,
    private readonly onSilence: () => void,
  ) {}

  get isLost(): boolean {
    return this.lost;
  }

  /** A request began to wait for its answer. */
  began(): void {
    if (this.waiting === 0) this.heardAt = Date.now();
    this.waiting += 1;
    this.start();
  }

  /** A request waits no longer, whatever the reason. */
  ended(): void {
    this.waiting -= 1;
  }

  /** An answer came. */
  heard(): void {
    this.heardAt = Date.now();
  }

  /** No connection came about. */
  refused(): void {
    this.lost = true;
    this.start();
  }

  close(): void {
    this.isClosed = true;
    this.stop();
  }

  private get isSilent(): boolean {
    return Date.now() - this.heardAt >= silenceMs;
  }

  private start(): void {
    if (!this.isClosed) this.timer ??= setInterval(() => void this.beat(), beatMs).unref();
  }

  private stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async beat(): Promise<void> {
    if (this.isAsking) return;
    if (!this.lost && this.waiting === 0) return this.stop();
    if (!this.lost && !this.isSilent) return;
    this.isAsking = true;
    const answered = this.lost ? await this.isAlive(patienceMs.lost) : await this.ask();
    this.isAsking = false;
    if (answered) {
      this.lost = false;
      this.heard();
    } else if (!this.lost && this.isSilent) {
      this.lost = true;
      this.onSilence();
    }
  }

  private async ask(): Promise<boolean> {
    for (let asked = 0; asked < questionsMax; asked += 1) {
      if (await this.isAlive(patienceMs.answering)) return true;
    }
    return false;
  }
}
