import { Fault } from './fault';
import { type BudgetSizes, SharedBudget } from './shared-budget';

interface Waiting {
  holder: string;
  begin(end: () => void): void;
}

/** How many run at one time and how many wait: of all holders together, and of one of them. */
export interface TurnSizes {
  turns: BudgetSizes;
  places: BudgetSizes;
}

/** Lets so much work of one kind run at one time, and a part of it for one holder (a project, an address). Other work waits. */
export class Turns {
  private readonly active: SharedBudget;
  private readonly places: SharedBudget;
  /** Oldest first. */
  private readonly queue = new Set<Waiting>();
  /** How often work was refused because no turn came in time, or too much waited. */
  overloaded = 0;

  /** `refusal`: the text of the `Fault` for work that gets no turn. */
  constructor(
    { turns, places }: TurnSizes,
    private readonly refusal: string,
  ) {
    this.active = new SharedBudget(turns);
    this.places = new SharedBudget(places);
  }

  get running(): number {
    return this.active.held;
  }

  get waiting(): number {
    return this.queue.size;
  }

  /** Takes a turn, after `patienceMs` at most, and returns what ends it. Throws a `Fault` (`overloaded`) when none comes in
   *  time, or too much waits already. */
  async take(holder: string, patienceMs: number): Promise<() => void> {
    return this.begun(holder) ?? this.wait(holder, patienceMs);
  }

  private begun(holder: string): (() => void) | null {
    const giveBack = this.active.take(holder);
    return (
      giveBack &&
      (() => {
        giveBack();
        this.beginNext();
      })
    );
  }

  private wait(holder: string, patienceMs: number): Promise<() => void> {
    const leave = this.places.take(holder);
    if (!leave) throw this.refused();
    return new Promise((resolve, reject) => {
      const leaveQueue = (): void => {
        clearTimeout(timer);
        this.queue.delete(waiting);
        leave();
      };
      const waiting: Waiting = {
        holder,
        begin: (end) => {
          leaveQueue();
          resolve(end);
        },
      };
      const timer = setTimeout(() => {
        leaveQueue();
        reject(this.refused());
      }, patienceMs);
      this.queue.add(waiting);
    });
  }

  // Those whose holder has least under way come first: what two holders queue up does not delay a third one.
  private beginNext(): void {
    const inOrder = [...this.queue].sort(
      (left, right) => this.active.heldBy(left.holder) - this.active.heldBy(right.holder),
    );
    for (const waiting of inOrder) {
      const end = this.begun(waiting.holder);
      if (end) return waiting.begin(end);
    }
  }

  private refused(): Fault {
    this.overloaded += 1;
    return new Fault('overloaded', this.refusal);
  }
}
