import type { Refusal } from '@scrip/kernel/pure';
import type { ConsumedUnits } from '@scrip/order-calculation';
import type { Candidate } from '../request/evaluation-request';
import type { Calculation } from './evaluate-request';

/** A redeemable whose rules no longer hold, and why. */
export interface RefusedAgain {
  readonly candidate: Candidate;
  readonly refusal: Refusal<string>;
}

/** Evaluates rules that read counters once more, on the steps that the calculation made, with what others have been counted
 *  for since. Returns the first redeemable that may not apply any more; null: all may. Rules whose counters have not
 *  moved are not evaluated. Pure. Source: reference 02 §4.6, architecture §8 step 3. */
export const judgeAgain = (
  { countedVerdicts }: Pick<Calculation, 'countedVerdicts'>,
  countedFor: (candidate: Candidate) => Candidate['counted'],
): RefusedAgain | null => {
  for (const { candidate, refusalWith } of countedVerdicts) {
    const refusal = refusalWith(countedFor(candidate));
    if (refusal) return { candidate, refusal };
  }
  return null;
};

/** Whether unit budgets still allow all units that a calculation consumes. `used`: what a budget has counted by now, without
 *  this request. Source: reference 01 §6. */
export const budgetsAllow = (
  units: readonly ConsumedUnits[],
  used: (consumed: ConsumedUnits) => number,
): boolean => units.every((consumed) => used(consumed) <= consumed.usedAtMost);
