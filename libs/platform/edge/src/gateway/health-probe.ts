import { afterBeats } from '@scrip/kernel';

const beatMs = 500;
/** An address that sends nothing for longer, while requests wait for it, is asked for its health. */
const silenceMs = 1_000;
/** One unanswered question may be our own fault. */
const questionsMax = 2;
/** How many beats an answer is waited for: few while requests wait, more for a lost address, which may only be slow. */
const patience = { answering: 5, lost: 16 };
const patienceBeatMs = 250;

/** Asks, and gives up after `beats` of this process. */
const answersWithin = async (
  beats: number,
  isAlive: (given: AbortSignal) => Promise<boolean>,
): Promise<boolean> => {
  const ending = new AbortController();
  const answered = afterBeats({ beats, everyMs: patienceBeatMs }, () => ending.abort());
  try {
    return await isAlive(ending.signal);
  } finally {
    answered();
  }
};

/** Whether an address answers. While requests wait and nothing comes, it is asked for its health; one that says nothing
 *  twice is lost, as is one that takes no connections, until it answers that question again. So no request waits
 *  for a silent network until its deadline, and none is sent to find out whether a service is back. */
export class HealthProbe {
  private waiting = 0;
  private heardAt = 0;
  private lost = false;
  private isAsking = false;
  private isClosed = false;
  private timer: NodeJS.Timeout | undefined;

  /** `isAlive` asks the address until the signal ends it; `onSilence` ends what waits for it. */
  constructor(
    private readonly isAlive: (given: AbortSignal) => Promise<boolean>,
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
    const answered = this.lost ? await answersWithin(patience.lost, this.isAlive) : await this.ask();
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
      if (await answersWithin(patience.answering, this.isAlive)) return true;
    }
    return false;
  }
}
