import { type Id, idsDerivedFrom } from './ids';

/** What stands under an id that was given once. */
export interface Standing<Record> {
  record: Record;
  deleted: boolean;
}

/** Ids that one question names. The first that is free is the first or second of most records. */
const idsAtOnce = 20;

/** Finds what a kept record is now: what stands unchanged under its id, or under one that was derived for its owner from that
 *  before: each of these is given up when what has it changes or goes. `created`: nothing does; the id under which to create it.
 *  `standingOf` leaves out ids under which nothing ever stood; it is asked as often as twenty more ids are in use. */
export const findKept = async <Record, Prefix extends string>(
  kept: { id: string; prefix: Prefix; owner: string },
  standingOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, Standing<Record>>>,
  isSame: (record: Record) => boolean,
): Promise<{ id: string } | { created: Id<Prefix> }> => {
  const isKept = (one: Standing<Record> | undefined): boolean =>
    one !== undefined && !one.deleted && isSame(one.record);
  const ids = idsDerivedFrom(kept.owner);
  for (let tried = 0; ; tried += idsAtOnce) {
    const derived = Array.from({ length: idsAtOnce }, (_, place) =>
      ids.next(kept.prefix, `${kept.id}:${tried + place + 1}`),
    );
    const standing = await standingOf(tried === 0 ? [kept.id, ...derived] : derived);
    if (tried === 0 && isKept(standing.get(kept.id))) return { id: kept.id };
    for (const id of derived) {
      const one = standing.get(id);
      if (!one) return { created: id };
      if (isKept(one)) return { id };
    }
  }
};
