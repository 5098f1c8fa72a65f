import { Logger } from '@nestjs/common';

/** Work that a process repeats while it runs. */
export interface PeriodicWork {
  /** Names it in the log. */
  name: string;
  /** Milliseconds from the end of a run to the next one. */
  everyMs: number;
  /** Milliseconds from `start` to the first run; `everyMs` unless given. */
  firstMs?: number;
  /** What it throws is logged as a warning; the next run comes all the same. */
  run: () => Promise<unknown>;
}

/** Repeats work, one run at a time, until it is stopped. Keeps no process alive. */
export class Periodic {
  private readonly logger: Logger;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(private readonly work: PeriodicWork) {
    this.logger = new Logger(work.name);
  }

  start(): void {
    this.runAfter(this.work.firstMs ?? this.work.everyMs);
  }

  /** Waits for the run that is under way; none begins after it. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private runAfter(ms: number): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.running = this.runOnce();
    }, ms).unref();
  }

  private async runOnce(): Promise<void> {
    try {
      await this.work.run();
    } catch (error) {
      this.logger.warn(error instanceof Error ? error.message : String(error));
    }
    this.runAfter(this.work.everyMs);
  }
}
