import { batchLoader } from '@scrip/rpc';
import { LRUCache } from 'lru-cache';

/** How long a look-up may be believed, from before it was asked. */
export const freshMs = 1_000;

/** Caches look-ups for one second from their beginning, absences included. Simultaneous look-ups of a key share one query. */
export class TtlCache<Value extends object> {
  private readonly known = new LRUCache<string, { value: Value | null }>({
    max: 10_000,
    ttl: freshMs,
    ttlResolution: 0,
  });
  private forgotten = 0;
  private readonly load: (id: string) => Promise<Value | null>;

  constructor(loadMany: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>) {
    this.load = batchLoader(async (ids) => {
      const found = await loadMany(ids);
      return ids.map((id) => found.get(id) ?? null);
    });
  }

  async find(id: string): Promise<Value | null> {
    const known = this.known.get(id);
    if (known) return known.value;
    const [start, { forgotten }] = [performance.now(), this];
    const value = await this.load(id);
    // What was read before a change that was told meanwhile is not kept.
    if (forgotten === this.forgotten) this.known.set(id, { value }, { start });
    return value;
  }

  /** Empties the cache; call it after a change by this process. */
  forget(): void {
    this.forgotten += 1;
    this.known.clear();
  }
}
