/** Lets one piece of work run at a time, in the order asked. A failure rejects for its own caller only. */
export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.last.then(work);
    this.last = mine.catch(() => undefined);
    return mine;
  }

  /** Resolves when nothing runs or waits any more. */
  async idle(): Promise<void> {
    for (let seen: unknown; seen !== this.last;) {
      seen = this.last;
      await this.last;
    }
  }
}
