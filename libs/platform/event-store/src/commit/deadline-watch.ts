const checkEveryMs = 25;

interface Expiring {
  readonly context: { deadlineAt: number };
  readonly answered: boolean;
  readonly expired: boolean;
  expire(): void;
}

/** Answers callers whose deadline passes while they wait, whatever their stream is waiting for. */
export class DeadlineWatch {
  private readonly watched = new Set<Expiring>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly onExpired: () => void) {}

  watch(member: Expiring): void {
    if (member.context.deadlineAt === Number.MAX_SAFE_INTEGER) return;
    this.watched.add(member);
    this.timer ??= setInterval(() => this.check(), checkEveryMs);
  }

  release(member: Expiring): void {
    this.watched.delete(member);
  }

  private check(): void {
    for (const member of this.watched) {
      if (!member.expired) continue;
      this.watched.delete(member);
      if (member.answered) continue;
      this.onExpired();
      member.expire();
    }
    if (this.watched.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
