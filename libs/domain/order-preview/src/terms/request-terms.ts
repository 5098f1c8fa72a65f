import { type OrderState, openTotalOf } from '@scrip/order-calculation';
import type { TermSpace } from './candidate-terms';
import { amountTerms, anyRequest, lineTerms, segmentTerm } from './terms';

/** What of a request decides which candidates it finds. `segments`: those that hold the customer, of the ones that terms name;
 *  `order` null: none. Lines know their collections. */
export interface TermRequest {
  readonly segments: readonly string[];
  readonly order: OrderState | null;
}

const itemsOf = ({ order }: TermRequest): string[] =>
  order?.lines.flatMap(({ identity }) => lineTerms(identity)) ?? [];

const amountsOf = ({ order }: TermRequest): string[] =>
  order?.amount === undefined ? [] : amountTerms(openTotalOf(order));

/** The terms that a request has in a space, each once: it finds the candidates that have one of them.
 *  Source: reference 02 §10. */
export const requestTerms = (request: TermRequest, space: TermSpace): string[] => {
  const segments = request.segments.map(segmentTerm);
  const bySpace: Record<TermSpace, () => string[]> = {
    QUALIFY: () => [...segments, ...itemsOf(request), ...amountsOf(request)],
    AUDIENCE: () => segments,
    DISCOUNTED: () => itemsOf(request),
    NAMED: () => itemsOf(request),
  };
  return [anyRequest, ...new Set(bySpace[space]())];
};
