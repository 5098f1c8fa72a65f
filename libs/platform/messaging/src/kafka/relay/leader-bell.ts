import type { LeaderLock } from './leader-lock';

/** Shorter than the time for which a leader that was told looks often by itself. */
const quietMs = 1_000;

/** Tells the process that leads of commits of this one, which it would see only with its next look: of the first after
 *  a second without, since it looks often afterwards. What cannot be told, that look finds. */
export class LeaderBell {
  private toldAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly lock: Pick<LeaderLock, 'tellLeader'>) {}

  /** This process has committed. */
  ring(): void {
    const now = performance.now();
    if (now - this.toldAt < quietMs) return;
    this.toldAt = now;
    this.lock.tellLeader().catch(() => (this.toldAt = Number.NEGATIVE_INFINITY));
  }
}
