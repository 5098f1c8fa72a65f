import type { StackingSettings } from '@scrip/order-calculation';
import { type InputProblem, below } from './input-problem';
import type { RequestFile } from './request-file';

type Named = Pick<RequestFile['redeemables'][number], 'object' | 'id'>;

const repeated = (list: readonly Named[], path: string): InputProblem[] =>
  list.flatMap(({ object, id }, index) => {
    const first = list.findIndex((other) => other.object === object && other.id === id);
    return first === index ? [] : [{ path: below(path, index), message: `is ${below(path, first)} again` }];
  });

/** What the API refuses before it evaluates anything. Source: reference 01 §10. */
export const requestProblems = (
  { redeemables }: RequestFile,
  { redeemables_limit: limit }: StackingSettings,
): InputProblem[] => {
  const path = 'redeemables';
  if (redeemables.length > 1 && redeemables.some(({ object }) => object === 'promotion_stack')) {
    return [{ path, message: 'a promotion_stack must be the only redeemable' }];
  }
  if (redeemables.length > limit) {
    return [{ path, message: `must not have more than redeemables_limit (${limit}) elements` }];
  }
  const tiers = redeemables.flatMap((entry, index) =>
    entry.object === 'promotion_stack' ? repeated(entry.tiers, below(below(path, index), 'tiers')) : [],
  );
  return [...repeated(redeemables, path), ...tiers];
};
