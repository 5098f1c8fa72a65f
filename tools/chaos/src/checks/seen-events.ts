/** What a reader of topics has seen of their streams. */
export class SeenEvents {
  messages = 0;
  /** Events seen for the first time behind a later one of their stream. */
  outOfOrder = 0;
  private readonly ids = new Set<string>();
  private readonly newestOf = new Map<string, number>();

  /** Messages that came again: allowed, and dropped by every consumer. */
  get repeated(): number {
    return this.messages - this.ids.size;
  }

  has(id: string): boolean {
    return this.ids.has(id);
  }

  take(stream: string, id: string, sequence: number): void {
    this.messages += 1;
    if (this.ids.has(id)) return;
    this.ids.add(id);
    const newest = this.newestOf.get(stream) ?? 0;
    if (sequence <= newest) this.outOfOrder += 1;
    this.newestOf.set(stream, Math.max(newest, sequence));
  }
}
