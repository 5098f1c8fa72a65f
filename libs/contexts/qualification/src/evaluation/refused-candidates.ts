import { isDeepStrictEqual } from 'node:util';
import type { QualificationRefusal } from '../qualification.refusals';
import type { Candidate, EvaluatedRedeemable } from './evaluate';

/** What an owner refused to promise. `about`: what it was asked for; null: for none of the redeemables. `facts`: what it decided on, as
 *  its `load` returns it; null where it gave none. */
export interface RefusedByOwner {
  about: EvaluatedRedeemable | null;
  refusal: QualificationRefusal;
  facts: unknown;
}

const changed = (
  candidates: readonly Candidate[],
  refused: readonly RefusedByOwner[],
  change: (candidate: Candidate, refusal: RefusedByOwner) => Candidate,
): Candidate[] =>
  candidates.map((candidate) => {
    const refusal = refused.find(({ about }) => about?.candidate.requested === candidate.requested);
    return refusal ? change(candidate, refusal) : candidate;
  });

const asRefused = (candidate: Candidate, { refusal }: RefusedByOwner): Candidate => ({
  ...candidate,
  refusedByOwner: refusal,
});

/** Candidates that count as refused, whatever the evaluation says of them. */
export const withRefusals = (
  candidates: readonly Candidate[],
  refused: readonly RefusedByOwner[],
): Candidate[] => changed(candidates, refused, asRefused);

/** Candidates with the facts that owners refused on; a refusal without facts counts as it is. Source: architecture §8 step 2. */
export const withFacts = (
  candidates: readonly Candidate[],
  refused: readonly RefusedByOwner[],
): Candidate[] =>
  changed(candidates, refused, (candidate, refusal) =>
    refusal.facts === null
      ? asRefused(candidate, refusal)
      : { ...candidate, found: refusal.facts, factsOfRefusal: true },
  );

interface Asked {
  participant: string;
  object_id: string;
  asks: object;
}

/** Whether two questions ask the same owner for the same of the same object. */
export const isSameAsk = (one: Asked, other: Asked): boolean =>
  one.participant === other.participant &&
  one.object_id === other.object_id &&
  isDeepStrictEqual(one.asks, other.asks);
