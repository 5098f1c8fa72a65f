import type { Position } from './shape';

/** Returns a ring whose longitudes go on over the antimeridian: an edge takes the shorter way, so that of two neighbours none is
 *  more than 180° from the other. A ring around a pole does not end where it began. */
export const unwrapped = (ring: readonly Position[]): Position[] => {
  const [first, ...rest] = ring;
  if (!first) return [];
  const result: Position[] = [first];
  let before = first[0];
  for (const [longitude, latitude] of rest) {
    before += ((((longitude - before + 540) % 360) + 360) % 360) - 180;
    result.push([before, latitude]);
  }
  return result;
};

/** Whether a ring goes around a pole, so that it has no inside and outside on a map. */
export const goesAroundPole = (ring: readonly Position[]): boolean => {
  const longitudes = unwrapped(ring).map(([longitude]) => longitude);
  return Math.abs((longitudes.at(-1) ?? 0) - (longitudes[0] ?? 0)) > 180;
};
