/** How many statements run beside each other, how many writes one may carry, and after which time one that is still
 *  running no longer keeps others waiting: it waits for a lock. Milliseconds. */
export interface LaneLimits {
  lanes: number;
  together: number;
  patienceMs: number;
}

/** Collects work that is ready at the same time and hands it on in batches of one shape, few at a time. What arrives
 *  while all lanes are busy goes with the next batch. */
export class Lanes<Work> {
  private readonly queues = new Map<string, Work[]>();
  private busy = 0;
  private scheduled = false;

  /** `run` takes a batch of at least one; it never throws, and its promise ends when the batch is done. */
  constructor(
    private readonly limits: LaneLimits,
    private readonly run: (batch: readonly Work[]) => Promise<void>,
  ) {}

  add(shape: string, work: Work): void {
    const queue = this.queues.get(shape);
    if (queue) queue.push(work);
    else this.queues.set(shape, [work]);
    this.fillSoon();
  }

  // Whatever becomes ready in this turn of the event loop goes along.
  private fillSoon(): void {
    if (this.scheduled || this.queues.size === 0) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      while (this.busy < this.limits.lanes && this.queues.size > 0) this.start(this.take());
    });
  }

  /** The oldest shape's writes; what is left of them goes to the end. */
  private take(): Work[] {
    const [[shape, queue]] = this.queues as unknown as [[string, Work[]]];
    this.queues.delete(shape);
    const batch = queue.splice(0, this.limits.together);
    if (queue.length > 0) this.queues.set(shape, queue);
    return batch;
  }

  private start(batch: readonly Work[]): void {
    this.busy += 1;
    let counted = true;
    const free = () => {
      if (!counted) return;
      counted = false;
      this.busy -= 1;
      this.fillSoon();
    };
    const impatient = setTimeout(free, this.limits.patienceMs).unref();
    void this.run(batch).then(() => {
      clearTimeout(impatient);
      free();
    });
  }
}
