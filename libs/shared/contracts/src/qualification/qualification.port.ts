import { exportsMethods, type ExportsPort } from '../operations/exports.port';
import { definePort, type RequestContext } from '@scrip/kernel';
import type { ClaimKey, Verdict } from '../claims';

/** What other contexts may ask of qualification. Source: architecture §7, §8. */
export interface QualificationPort extends ExportsPort {
  /** Returns the binding verdict on each claim, at most 1,000 at once. To ask is to insert ABANDONED where nothing stands
   *  for its redemption: never ask inside a transaction that holds a row of yours, nor about a redemption that waits
   *  for your answer. A redemption in flight in the answering process is given a moment to come to its own outcome
   *  first. */
  resolveOutcomes(context: RequestContext, request: { claims: ClaimKey[] }): Promise<Verdict[]>;

  /** Returns the verdicts that stand by now; what is still under way is left out and left alone. For the owners' loop
   *  over young claims (those older than 30 s are resolved). At most 1,000 at once. */
  readOutcomes(context: RequestContext, request: { claims: ClaimKey[] }): Promise<Verdict[]>;
}

export const qualificationPort = definePort<QualificationPort>('qualification', [
  ...exportsMethods,
  'resolveOutcomes',
  'readOutcomes',
]);
