import type { RequestContext } from '@scrip/kernel';
import { definePort } from '@scrip/rpc';
import type { Outcome } from '../claims';

/** What other contexts may ask of qualification. Source: architecture §7, §8.4. */
export interface QualificationPort {
  /** The binding verdict on each redemption, at most 1,000 at once. To ask is to insert ABANDONED where nothing stands;
   *  never ask inside a transaction that holds a row of yours. A redemption under way in the answering process is
   *  given a moment to come to its own verdict first. */
  resolveOutcomes(context: RequestContext, request: { redemption_ids: string[] }): Promise<Outcome[]>;

  /** The verdicts that stand by now; what is still under way is left out and left alone. For the owners' loop over
   *  young claims (those older than 30 s are resolved). At most 1,000 at once. */
  readOutcomes(context: RequestContext, request: { redemption_ids: string[] }): Promise<Outcome[]>;
}

export const qualificationPort = definePort<QualificationPort>('qualification', [
  'resolveOutcomes',
  'readOutcomes',
]);
