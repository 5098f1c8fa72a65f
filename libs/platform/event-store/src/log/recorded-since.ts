import { LRUCache } from 'lru-cache';
import type { RunStatement } from '../database/database';
import { type LogPosition, logStart } from './log-position';
import { recordedAtStatement } from './log-reader';

const known = 2_000;

/** How much earlier than the event at a position a later one can have been recorded: a transaction that began before, or
 *  a server whose clock is behind the one before it. A month costs a partition or two; less would save nothing. */
const slackMs = 35 * 86_400_000;

/** Since when the events behind a position were recorded, so that reading on opens the partitions since then and not all
 *  of them. Source: architecture §11. */
export class RecordedSince {
  private readonly times = new LRUCache<LogPosition, { atMs: number | null }>({ max: known });

  /** Notes the event that was read last, from where a reader will read on. */
  note(position: LogPosition, recordedAt: Date): void {
    this.times.set(position, { atMs: recordedAt.getTime() });
  }

  /** No event behind `position` was recorded before the returned instant; undefined where that is not known. Looks a
   *  position up that was not noted, once. */
  async behind(position: LogPosition, run: RunStatement): Promise<Date | undefined> {
    if (position === logStart) return undefined;
    const atMs = (this.times.get(position) ?? (await this.lookUp(position, run))).atMs;
    return atMs === null ? undefined : new Date(atMs - slackMs);
  }

  private async lookUp(position: LogPosition, run: RunStatement): Promise<{ atMs: number | null }> {
    const [row] = await run<{ recorded_at: Date }>(recordedAtStatement(position));
    const time = { atMs: row?.recorded_at.getTime() ?? null };
    this.times.set(position, time);
    return time;
  }
}
