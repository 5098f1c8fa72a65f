/** Longitude and latitude in degrees, in this order. Source: RFC 7946 §3.1.1. */
export type Position = [number, number];

/** The outline of a polygon, then those of its holes; each begins and ends at the same position. Source: RFC 7946 §3.1.6. */
export type Rings = Position[][];

/** All within a distance of a place. */
export interface Circle {
  type: 'circle';
  format: 'distance';
  /** `center`: `geo:40.7128,-74.0060`; `radius`: `1.54 km`. */
  distance: { center: string; radius: string };
}

/** All within the outlines, and in none of their holes. */
export interface PolygonShape {
  type: 'polygon';
  format: 'geojson';
  geojson: { type: 'Polygon'; coordinates: Rings } | { type: 'MultiPolygon'; coordinates: Rings[] };
}

/** What a location covers. Source: reference 07 §9. */
export type Shape = Circle | PolygonShape;

/** Positions of a shape together. Source: reference 07 §9. */
export const positionsMax = 2_000;

/** Half of the way round the globe, in metres: no place is farther from another. */
export const radiusMaxM = 20_015_114;

const metresPer: Readonly<Record<string, number>> = { m: 1, km: 1_000, mi: 1_609.344 };
const radiusForm = /^(\d{1,9}(?:\.\d{1,9})?) ?(m|km|mi)$/;

/** Returns the metres of a radius, `1.54 km`; null where the text is none, or too long. */
export const parseRadius = (text: unknown): number | null => {
  const [, count = '', unit = ''] = (typeof text === 'string' ? radiusForm.exec(text) : null) ?? [];
  const metres = Number(count) * (metresPer[unit] ?? Number.NaN);
  return metres > 0 && metres <= radiusMaxM ? metres : null;
};
