/** Bytes of fetched events that wait in one process, over all its groups and partitions. */
export class MemoryBudget {
  private used = 0;

  constructor(private readonly bytesMax: number) {}

  get exceeded(): boolean {
    return this.used > this.bytesMax;
  }

  add(bytes: number): void {
    this.used += bytes;
  }
}
