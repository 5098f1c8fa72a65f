import { splitByWeights } from '@scrip/kernel/pure';

/** Integer weights ≥ 0, all numbers or all bigints. */
export type Weights = readonly number[] | readonly bigint[];

const isNumbers = (weights: Weights): weights is readonly number[] => typeof weights[0] === 'number';

/** `splitByWeights` in plain numbers where they are exact. */
const split = (total: number, weights: Weights): number[] => {
  if (!isNumbers(weights)) return splitByWeights(total, weights);
  let whole = 0;
  for (const weight of weights) whole += weight;
  if (!Number.isSafeInteger((2 * total + 1) * whole)) return splitByWeights(total, weights);
  let weightSoFar = 0;
  let amountSoFar = 0;
  return weights.map((weight) => {
    weightSoFar += weight;
    const amountUpToHere = Math.floor((2 * total * weightSoFar + whole) / (2 * whole));
    const part = amountUpToHere - amountSoFar;
    amountSoFar = amountUpToHere;
    return part;
  });
};

/** Splits `total` by weights and running total. A part that would exceed its cap is the cap, and the others share
 *  the rest by the same rule, so that the parts add up to `total`, or to what the weighted caps hold if that is
 *  less. Source: reference 01 §2, §5. */
export const splitWithin = (total: number, weights: Weights, caps: readonly number[]): number[] => {
  const parts = caps.map(() => 0);
  let rest = total;
  let open = [...caps.keys()].filter((position) => weights[position]! > 0);
  while (rest > 0 && open.length > 0) {
    // Mostly all lines have weight and none is full.
    const weightsLeft =
      open.length === caps.length
        ? weights
        : (open.map((position) => weights[position]!) as unknown as Weights);
    const shares = split(rest, weightsLeft);
    const stillOpen = open.filter((position, at) => shares[at]! <= caps[position]!);
    if (stillOpen.length === open.length) {
      open.forEach((position, at) => (parts[position] = shares[at]!));
      return parts;
    }
    open.forEach((position, at) => {
      if (shares[at]! <= caps[position]!) return;
      parts[position] = caps[position]!;
      rest -= caps[position]!;
    });
    open = stillOpen;
  }
  return parts;
};
