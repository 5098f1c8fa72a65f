import { type Id, idsDerivedFrom } from './ids';

/** What stands under an id; undefined: nothing ever did. */
export type Standing<Record> = { record: Record; deleted: boolean } | undefined;

/** Ids that one record of one owner may come to have: each is given up when what has it changes or goes. */
const triesMax = 50;

/** Finds what a kept record is now: what stands unchanged under its id, or under one that was derived for its owner from that
 *  before. `created`: nothing does; the id under which to create it. Throws where all derived ids are used up. */
export const findKept = async <Record, Prefix extends string>(
  kept: { id: string; prefix: Prefix; owner: string },
  standingOf: (id: string) => Promise<Standing<Record>>,
  isSame: (record: Record) => boolean,
): Promise<{ id: string } | { created: Id<Prefix> }> => {
  const own = await standingOf(kept.id);
  if (own && !own.deleted && isSame(own.record)) return { id: kept.id };
  const ids = idsDerivedFrom(kept.owner);
  for (let tries = 1; tries <= triesMax; tries += 1) {
    const id = ids.next(kept.prefix, `${kept.id}:${tries}`);
    const standing = await standingOf(id);
    if (!standing) return { created: id };
    if (!standing.deleted && isSame(standing.record)) return { id };
  }
  throw new Error(`no id is left for ${kept.id} of ${kept.owner}`);
};
