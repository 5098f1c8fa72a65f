/** What becomes of items that no caller waits for. */
export interface BackgroundWork<Item> {
  /** Most weight that waits; an item has the weight 1 unless `weightOf` says otherwise. */
  waitingMax: number;
  weightOf?: (item: Item) => number;
  /** Gets everything that waits, at least one item. Must not throw. */
  run: (items: Item[]) => Promise<void>;
  /** An item came while too many waited. */
  dropped: (item: Item) => void;
}

/** Items that are handed on in the background, after the answer that they belong to: those of one turn of the event loop
 *  together, later ones once that is done. Bounded: what does not fit is dropped. */
export class BackgroundQueue<Item> {
  private waiting: Item[] = [];
  private weight = 0;
  private draining: Promise<void> | undefined;

  constructor(private readonly work: BackgroundWork<Item>) {}

  /** Never throws, never waits. */
  push(item: Item): void {
    const weight = this.work.weightOf?.(item) ?? 1;
    if (this.weight + weight > this.work.waitingMax) return this.work.dropped(item);
    this.waiting.push(item);
    this.weight += weight;
    this.draining ??= new Promise((resolve) => setImmediate(() => void this.drain().finally(resolve)));
  }

  /** Everything that was pushed so far has been handed on, or dropped. */
  async drained(): Promise<void> {
    while (this.draining) await this.draining;
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      const items = this.waiting;
      this.waiting = [];
      this.weight = 0;
      await this.work.run(items);
    }
    this.draining = undefined;
  }
}
