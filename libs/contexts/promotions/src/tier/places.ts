/** A tier of a campaign, by where it stands. */
export interface PlacedTier {
  id: string;
  /** From 1. */
  hierarchy: number;
}

/** The place behind all tiers of a campaign. Source: reference 04 §10. */
export const lastPlaceOf = (tiers: readonly PlacedTier[]): number =>
  tiers.reduce((last, { hierarchy }) => Math.max(last, hierarchy), 0) + 1;

/** Where the others go when a tier takes a place: those from there on move down by one, up to the first place that is free.
 *  Source: reference 04 §10, §15. */
export const movedDown = (place: number, others: readonly PlacedTier[]): PlacedTier[] => {
  const behind = others.filter(({ hierarchy }) => hierarchy >= place);
  const moved: PlacedTier[] = [];
  let taken = place;
  for (const { id, hierarchy } of behind.sort((a, b) => a.hierarchy - b.hierarchy)) {
    if (hierarchy > taken) break;
    taken = hierarchy + 1;
    moved.push({ id, hierarchy: taken });
  }
  return moved;
};
