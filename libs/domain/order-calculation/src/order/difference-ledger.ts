import type { ReplacementDetail } from './order';
import {
  type LineFigures,
  type OrderDifference,
  lineDifference,
  lineFigures,
  noFigures,
  orderDifference,
} from './order-difference';
import { shareOf } from './order-state';

interface LineEntry {
  readonly figures: LineFigures;
  details: ReplacementDetail[];
}

/** One redemption's difference while it is being cut. */
interface Entry {
  amount: number;
  discountAmount: number;
  readonly lines: Map<number, LineEntry>;
}

const entryOf = ({ amount = 0, discount_amount = 0, items = [] }: OrderDifference): Entry => ({
  amount,
  discountAmount: discount_amount,
  lines: new Map(
    items.map(({ index, application_details = [], ...figures }) => [
      index,
      { figures: { ...noFigures(), ...figures }, details: [...application_details] },
    ]),
  ),
});

const lineOf = (entry: Entry, index: number): LineEntry => {
  const line = entry.lines.get(index) ?? { figures: noFigures(), details: [] };
  entry.lines.set(index, line);
  return line;
};

/** Where a line stands now; null: it is gone. */
type Position = (index: number) => number | null;

const movedDetail = (detail: ReplacementDetail, positionOf: Position): ReplacementDetail[] => {
  const [source_index, target_index] = [positionOf(detail.source_index), positionOf(detail.target_index)];
  return source_index === null || target_index === null ? [] : [{ ...detail, source_index, target_index }];
};

/** The differences of an order's live redemptions, oldest first, cut where the order no longer holds all of them. What
 *  does not fit is cut from the newest redemption backwards, and is gone from its difference too, so that undoing that
 *  redemption later never takes it off a second time. Source: reference 01 §2, reference 03 §9. */
export class DifferenceLedger {
  private readonly entries: Entry[];

  constructor(differences: readonly OrderDifference[]) {
    this.entries = differences.map(entryOf);
  }

  /** Σ of the differences of one line. */
  figuresAt(index: number): LineFigures {
    const sum = noFigures();
    for (const { lines } of this.entries) {
      const own = lines.get(index)?.figures;
      if (own) for (const figure of lineFigures) sum[figure] += own[figure];
    }
    return sum;
  }

  get amount(): number {
    return this.entries.reduce((sum, entry) => sum + entry.amount, 0);
  }

  get discountAmount(): number {
    return this.entries.reduce((sum, entry) => sum + entry.discountAmount, 0);
  }

  /** Whether any redemption has units on the line or took units from it. */
  movesUnitsOf(index: number): boolean {
    return this.entries.some(({ lines }) => (lines.get(index)?.figures.quantity ?? 0) !== 0);
  }

  /** Undoes replacements until none of the lines (`initial`: units of the customer) has fewer than 0 units. A
   *  replacement whose units are gone gives back what it put in their place. */
  giveBackMissingUnits(initial: readonly number[]): void {
    for (let found = true; found;) {
      found = false;
      for (const [index, units] of initial.entries()) {
        let missing = -(units + this.figuresAt(index).quantity);
        for (const entry of this.newestFirst()) {
          const own = entry.lines.get(index);
          if (missing <= 0 || !own || own.figures.quantity >= 0) continue;
          found = true;
          missing -= giveBack(entry, own, missing);
        }
      }
    }
  }

  /** Raises what redemptions took off the amount of the order (`initial`: without any) until it is at least 0. */
  giveBackMissingAmount(initial: number): void {
    let missing = -(initial + this.amount);
    for (const entry of this.newestFirst()) {
      const returned = Math.max(0, Math.min(missing, -entry.amount));
      entry.amount += returned;
      missing -= returned;
    }
  }

  /** Raises discounts of lines and of the order to 0 where redemptions lowered what an undone one had given: a discount
   *  that moved to another line with replaced units leaves that line too. Units that replacements took from those that
   *  were discounted or free are given back the same way. */
  giveBackMissingDiscounts(lineCount: number): void {
    for (let index = 0; index < lineCount; index += 1) {
      this.raiseLine(index, 'discount_quantity');
      this.raiseLine(index, 'free_quantity');
      let missing = -this.figuresAt(index).discount_amount;
      for (const entry of this.newestFirst()) {
        const own = entry.lines.get(index);
        if (missing <= 0 || !own || own.figures.discount_amount >= 0) continue;
        const returned = Math.min(missing, -own.figures.discount_amount);
        own.figures.discount_amount += returned;
        missing -= returned;
        own.details = takeMovedDiscounts(entry, own.details, returned);
      }
    }
    let missing = -this.discountAmount;
    for (const entry of this.newestFirst()) {
      const returned = Math.max(0, Math.min(missing, -entry.discountAmount));
      entry.discountAmount += returned;
      missing -= returned;
    }
  }

  /** Cuts the differences of a line to `most` of a figure. */
  cutLine(index: number, figure: 'discount_amount' | 'free_quantity', most: number): void {
    let excess = this.figuresAt(index)[figure] - most;
    for (const { lines } of this.newestFirst()) {
      const own = lines.get(index)?.figures;
      if (excess <= 0 || !own || own[figure] <= 0) continue;
      const cut = Math.min(excess, own[figure]);
      own[figure] -= cut;
      excess -= cut;
    }
  }

  /** Cuts the discounts of the whole order to `most`. */
  cutOrder(most: number): void {
    let excess = this.discountAmount - most;
    for (const entry of this.newestFirst()) {
      const cut = Math.max(0, Math.min(excess, entry.discountAmount));
      entry.discountAmount -= cut;
      excess -= cut;
    }
  }

  /** The differences in the order in which they were given, without lines that are gone. */
  differences(positionOf: Position = (index) => index): OrderDifference[] {
    return this.entries.map(({ amount, discountAmount, lines }) => {
      const items = [...lines].flatMap(([index, { figures, details }]) => {
        const position = positionOf(index);
        if (position === null) return [];
        const moved = details.flatMap((detail) => movedDetail(detail, positionOf));
        return lineDifference(position, figures, moved) ?? [];
      });
      return orderDifference(
        amount,
        discountAmount,
        items.sort((one, other) => one.index - other.index),
      );
    });
  }

  /** Raises what redemptions took off a figure of a line until their sum is at least 0. */
  private raiseLine(index: number, figure: 'discount_quantity' | 'free_quantity'): void {
    let missing = -this.figuresAt(index)[figure];
    for (const { lines } of this.newestFirst()) {
      const own = lines.get(index)?.figures;
      if (missing <= 0 || !own || own[figure] >= 0) continue;
      const returned = Math.min(missing, -own[figure]);
      own[figure] += returned;
      missing -= returned;
    }
  }

  private newestFirst(): Entry[] {
    return [...this.entries].reverse();
  }
}

/** Undoes up to `units` replaced units of one line; returns how many. */
function giveBack(entry: Entry, source: LineEntry, units: number): number {
  const wanted = Math.min(units, -source.figures.quantity);
  let left = wanted;
  for (const detail of [...source.details].reverse()) {
    const taken = -detail.source_applied_quantity;
    const undone = Math.min(left, taken);
    if (undone === 0) continue;
    left -= undone;
    const part = {
      source_applied_quantity: -undone,
      source_applied_quantity_amount: 0 - shareOf(0 - detail.source_applied_quantity_amount, undone, taken),
      target_applied_quantity: shareOf(detail.target_applied_quantity, undone, taken),
      target_applied_quantity_amount: shareOf(detail.target_applied_quantity_amount, undone, taken),
      target_applied_discount_amount: shareOf(detail.target_applied_discount_amount, undone, taken),
    };
    const target = lineOf(entry, detail.target_index).figures;
    target.quantity -= part.target_applied_quantity;
    target.amount -= part.target_applied_quantity_amount;
    target.discount_amount -= part.target_applied_discount_amount;
    if (detail.target_applied_discount_amount > 0) target.discount_quantity -= part.target_applied_quantity;
    source.figures.quantity += undone;
    source.figures.amount -= part.source_applied_quantity_amount;
    // A discount that moved to the target with the units.
    const moved = Math.max(0, -source.figures.discount_amount);
    source.figures.discount_amount += Math.min(moved, part.target_applied_discount_amount);
    entry.amount -= part.target_applied_quantity_amount + part.source_applied_quantity_amount;
    const rest = {
      ...detail,
      source_applied_quantity: detail.source_applied_quantity + undone,
      source_applied_quantity_amount:
        detail.source_applied_quantity_amount - part.source_applied_quantity_amount,
      target_applied_quantity: detail.target_applied_quantity - part.target_applied_quantity,
      target_applied_quantity_amount:
        detail.target_applied_quantity_amount - part.target_applied_quantity_amount,
      target_applied_discount_amount:
        detail.target_applied_discount_amount - part.target_applied_discount_amount,
    };
    source.details = source.details.flatMap((one) => {
      if (one !== detail) return one;
      return rest.source_applied_quantity === 0 ? [] : rest;
    });
  }
  source.figures.quantity += left;
  return wanted;
}

/** How much of a discount moved from the source line to the target line with the replaced units. */
const movedDiscount = (detail: ReplacementDetail): number =>
  detail.target_applied_discount_amount -
  Math.max(0, detail.target_applied_quantity_amount + detail.source_applied_quantity_amount);

/** Lowers discounts that moved along with replaced units by up to `amountMinor`; returns the details as they are then. */
function takeMovedDiscounts(
  { lines }: Entry,
  details: readonly ReplacementDetail[],
  amountMinor: number,
): ReplacementDetail[] {
  let left = amountMinor;
  return details.map((detail) => {
    const target = lines.get(detail.target_index)?.figures;
    const taken = target ? Math.max(0, Math.min(left, movedDiscount(detail), target.discount_amount)) : 0;
    if (!target || taken === 0) return detail;
    left -= taken;
    target.discount_amount -= taken;
    return { ...detail, target_applied_discount_amount: detail.target_applied_discount_amount - taken };
  });
}
