import { LRUCache } from 'lru-cache';

const firstPauseMs = 2_000;
const longestPauseMs = 60_000;
const rememberedMax = 50_000;

/** When each piece of work may be tried again: 2 s after its first failure, then twice as long each time, at most a
 *  minute. Machine time. What is forgotten (the least recently failed of more than 50,000) is due at once. */
export class RetryTimes {
  private readonly failed = new LRUCache<string, { failures: number; dueAtMs: number }>({
    max: rememberedMax,
  });

  isDue(key: string, nowMs: number): boolean {
    return (this.failed.peek(key)?.dueAtMs ?? 0) <= nowMs;
  }

  noteFailure(key: string, nowMs: number): void {
    const failures = (this.failed.get(key)?.failures ?? 0) + 1;
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1));
    this.failed.set(key, { failures, dueAtMs: nowMs + pauseMs });
  }

  forget(key: string): void {
    this.failed.delete(key);
  }
}
