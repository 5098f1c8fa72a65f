import type { Consents } from './consents-request';

const most = 100;

/** Merges the consents of a call into the stored ones; of all, the 100 that were sent last stay. A list of pairs, since an
 *  object puts ids that are numbers first. */
export const newestConsents = (
  stored: readonly [id: string, given: boolean][],
  sent: Consents,
): [id: string, given: boolean][] => {
  const others = stored.filter(([id]) => !Object.hasOwn(sent, id));
  return [...others, ...Object.entries(sent)].slice(-most);
};
