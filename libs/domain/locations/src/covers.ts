import { type Geopoint, parseGeopoint } from '@scrip/kernel';
import booleanPointInPolygon from '@turf/boolean-point-in-polygon';
import distance from '@turf/distance';
import { parseRadius, type Circle, type Position, type Rings, type Shape } from './shape';
import { unwrapped } from './unwrapped';

/** Whether a place lies in a shape, its boundary included. */
export type Covers = (place: Geopoint) => boolean;

/** Rounding of a distance: less than a tenth of a millimetre anywhere. */
const toleranceM = 0.000_1;

const circleCovers = ({ distance: { center, radius } }: Circle): Covers => {
  const [middle, metres] = [parseGeopoint(center), parseRadius(radius)];
  if (!middle || metres === null) return () => false;
  const from = [middle.longitude, middle.latitude];
  return ({ longitude, latitude }) =>
    distance(from, [longitude, latitude], { units: 'meters' }) <= metres + toleranceM;
};

interface Ring {
  coordinates: Position[];
  west: number;
  east: number;
  south: number;
  north: number;
}

const ringOf = (positions: readonly Position[]): Ring => {
  const coordinates = unwrapped(positions);
  const longitudes = coordinates.map(([longitude]) => longitude);
  const latitudes = coordinates.map(([, latitude]) => latitude);
  return {
    coordinates,
    west: Math.min(...longitudes),
    east: Math.max(...longitudes),
    south: Math.min(...latitudes),
    north: Math.max(...latitudes),
  };
};

/** A ring may lie beyond the antimeridian, where a place has another longitude. */
const turns = [0, -360, 360];

const isIn = (ring: Ring, { longitude, latitude }: Geopoint, ignoreBoundary: boolean): boolean =>
  latitude >= ring.south &&
  latitude <= ring.north &&
  turns.some((turn) => {
    const turned = longitude + turn;
    if (turned < ring.west || turned > ring.east) return false;
    return booleanPointInPolygon(
      [turned, latitude],
      { type: 'Polygon', coordinates: [ring.coordinates] },
      { ignoreBoundary },
    );
  });

/** The boundary of a hole belongs to the polygon. */
const polygonCovers = (rings: Rings): Covers => {
  const [outline, ...holes] = rings.map(ringOf);
  return (place) =>
    outline !== undefined && isIn(outline, place, false) && !holes.some((hole) => isIn(hole, place, true));
};

/** Returns what tells whether a place lies in a shape: great-circle distance for circles; edges of polygons are straight lines
 *  on a map of longitudes and latitudes, and take the shorter way round. Source: reference 07 §9, RFC 7946 §3.1.1. */
export const coversOf = (shape: Shape): Covers => {
  if (shape.type === 'circle') return circleCovers(shape);
  const { geojson } = shape;
  const polygons = (geojson.type === 'Polygon' ? [geojson.coordinates] : geojson.coordinates).map(
    polygonCovers,
  );
  return (place) => polygons.some((covers) => covers(place));
};
