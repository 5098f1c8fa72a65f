import { type FormulaLine, type FormulaOrder } from './context';

/** Found once for each order, however many lines evaluate the formula. */
const oncePerOrder = <Fact>(find: (order: FormulaOrder) => Fact): ((order: FormulaOrder) => Fact) => {
  const found = new WeakMap<FormulaOrder, { readonly fact: Fact }>();
  return (order) => {
    const known = found.get(order);
    if (known !== undefined) return known.fact;
    const fact = find(order);
    found.set(order, { fact });
    return fact;
  };
};

/** Units of all lines. */
export const unitsOfOrder = oncePerOrder((order) =>
  order.lines.reduce((sum, line) => sum + line.quantity, 0),
);

/** The line that comes first by unit price, times `direction`, then by lowest subtotal, then in the order. */
const extremeLine = (direction: 1 | -1): ((order: FormulaOrder) => FormulaLine | null) =>
  oncePerOrder((order) => {
    let best: FormulaLine | null = null;
    let bestRank = Infinity;
    let bestSubtotal = Infinity;
    for (const line of order.lines) {
      if (line.price === undefined || line.quantity === 0) continue;
      const rank = line.price * direction;
      const subtotal = line.subtotal ?? Infinity;
      if (rank > bestRank || (rank === bestRank && subtotal >= bestSubtotal)) continue;
      best = line;
      bestRank = rank;
      bestSubtotal = subtotal;
    }
    return best;
  });

/** The line with the lowest unit price; lines without a price or whose units were all replaced do not count. */
export const cheapestLine = extremeLine(1);

/** The line with the highest unit price, of the same lines. */
export const mostExpensiveLine = extremeLine(-1);
