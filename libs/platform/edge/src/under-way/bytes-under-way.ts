import { type BudgetSizes, SharedBudget } from '@scrip/kernel';

/** Who bytes are counted for: a project, or the address of a caller that anybody can be, as `addressKey` spells it. */
export type BytesHolder = { project: string } | { address: string };

/** Bytes that may be under way: of all, of one project, and of callers by address. */
export interface BytesUnderWaySizes extends BudgetSizes {
  /** Of all addresses together, and of one. They count among all bytes too. */
  addresses: BudgetSizes;
}

/** Counts bytes that a process holds for callers who may be slow. Keys of browsers are public: their calls take from the
 *  share of addresses, and nothing from the project. */
export class BytesUnderWay {
  private readonly all: SharedBudget;
  private readonly addresses: SharedBudget;

  constructor(readonly sizes: BytesUnderWaySizes) {
    this.all = new SharedBudget(sizes);
    this.addresses = new SharedBudget(sizes.addresses);
  }

  /** Takes room and returns what gives it back, however often that is called; null where there is none. */
  take(holder: BytesHolder, bytes: number): (() => void) | null {
    if ('project' in holder) return this.all.take(holder.project, bytes);
    const leaveAddresses = this.addresses.take(holder.address, bytes);
    if (!leaveAddresses) return null;
    const leaveAll = this.all.take(null, bytes);
    if (!leaveAll) {
      leaveAddresses();
      return null;
    }
    return () => {
      leaveAddresses();
      leaveAll();
    };
  }

  /** Whether there is no room at all. */
  isFull(holder: BytesHolder): boolean {
    if ('project' in holder) return this.all.isFull(holder.project);
    return this.addresses.isFull(holder.address) || this.all.isFull(null);
  }

  /** The same as `take`, also where there is no room: for bytes that are there already. */
  hold(holder: BytesHolder, bytes: number): () => void {
    if ('project' in holder) return this.all.hold(holder.project, bytes);
    const leaveAddresses = this.addresses.hold(holder.address, bytes);
    const leaveAll = this.all.hold(null, bytes);
    return () => {
      leaveAddresses();
      leaveAll();
    };
  }
}
