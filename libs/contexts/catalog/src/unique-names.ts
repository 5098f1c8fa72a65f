/** A name goes from one record of a set to another: one statement cannot store that, so each is to be stored alone. */
export class NameMoves extends Error {
  override readonly name = 'NameMoves';
}

/** Who has the names that a set of records wants, also while the set is being decided. */
export class UniqueNames {
  private readonly holders = new Map<string, Set<string>>();
  private readonly left = new Map<string, string>();

  /** `rows`: who has them as stored. */
  constructor(rows: readonly { id: string; name: string }[]) {
    for (const { id, name } of rows) this.give(name, id);
  }

  /** Whether a record can have a name. Throws `NameMoves` where another one of the set had it before. */
  areFree(name: string, id: string): boolean {
    const holders = this.holders.get(name);
    if (holders?.size) return holders.has(id);
    const before = this.left.get(name);
    if (before !== undefined && before !== id) throw new NameMoves(`record ${before} leaves ${name}`);
    return true;
  }

  /** A record of the set gets one name for another; null: none. */
  move(id: string, before: string | null, after: string | null): void {
    if (before !== null) {
      this.holders.get(before)?.delete(id);
      this.left.set(before, id);
    }
    if (after !== null) this.give(after, id);
  }

  private give(name: string, id: string): void {
    this.holders.set(name, (this.holders.get(name) ?? new Set()).add(id));
  }
}
