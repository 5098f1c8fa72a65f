import { Fault, halfForEach, SharedBudget } from '@scrip/kernel';

interface Waiting {
  projectId: string;
  begin(end: () => void): void;
}

/** Lists of a context that read at one time: so many of all projects, half of them of one project. Others wait. */
export class ListTurns {
  private readonly reading: SharedBudget;
  private readonly places: SharedBudget;
  /** Oldest first. */
  private readonly queue = new Set<Waiting>();
  /** Lists refused because no turn came in time, or too many waited. */
  overloaded = 0;

  constructor({ turns, places }: { turns: number; places: number }) {
    this.reading = new SharedBudget(halfForEach(turns));
    this.places = new SharedBudget(halfForEach(places));
  }

  get running(): number {
    return this.reading.held;
  }

  get waiting(): number {
    return this.queue.size;
  }

  /** Takes a turn, after `patienceMs` at most, and returns what ends it. Throws a `Fault` (`overloaded`) when none comes in
   *  time, or too many lists wait already. */
  async take(projectId: string, patienceMs: number): Promise<() => void> {
    return this.begun(projectId) ?? this.wait(projectId, patienceMs);
  }

  private begun(projectId: string): (() => void) | null {
    const giveBack = this.reading.take(projectId);
    return (
      giveBack &&
      (() => {
        giveBack();
        this.beginNext();
      })
    );
  }

  private wait(projectId: string, patienceMs: number): Promise<() => void> {
    const leave = this.places.take(projectId);
    if (!leave) throw this.refusal();
    return new Promise((resolve, reject) => {
      const leaveQueue = (): void => {
        clearTimeout(timer);
        this.queue.delete(waiting);
        leave();
      };
      const waiting: Waiting = {
        projectId,
        begin: (end) => {
          leaveQueue();
          resolve(end);
        },
      };
      const timer = setTimeout(() => {
        leaveQueue();
        reject(this.refusal());
      }, patienceMs);
      this.queue.add(waiting);
    });
  }

  // Those whose project reads least come first: what two projects queue up does not delay a third one.
  private beginNext(): void {
    const inOrder = [...this.queue].sort(
      (left, right) => this.reading.heldBy(left.projectId) - this.reading.heldBy(right.projectId),
    );
    for (const waiting of inOrder) {
      const end = this.begun(waiting.projectId);
      if (end) return waiting.begin(end);
    }
  }

  private refusal(): Fault {
    this.overloaded += 1;
    return new Fault('overloaded', 'too many lists are read at one time');
  }
}
