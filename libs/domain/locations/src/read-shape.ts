import { parseGeopoint } from '@scrip/kernel';
import { parseRadius, type PolygonShape, type Position, positionsMax, type Shape } from './shape';
import { goesAroundPole } from './unwrapped';

/** What is wrong with a shape, and where: `.distance.radius must be …`. */
export interface ShapeProblem {
  problem: string;
}

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const misfit = (problem: string): ShapeProblem => ({ problem });

const oneOf = (place: string, allowed: readonly string[]): ShapeProblem =>
  misfit(`${place} should be equal to one of the allowed values [ ${allowed.join(', ')} ]`);

const isPosition = (value: unknown): value is Position =>
  Array.isArray(value) &&
  value.length === 2 &&
  value.every((one) => typeof one === 'number' && Number.isFinite(one)) &&
  Math.abs(value[0] as number) <= 180 &&
  Math.abs(value[1] as number) <= 90;

const problemOfRing = (ring: unknown, place: string): string | null => {
  if (!Array.isArray(ring)) return `${place} must be array`;
  const wrong = ring.findIndex((one) => !isPosition(one));
  if (wrong >= 0)
    return `${place}[${wrong}] must be a longitude from -180 to 180 and a latitude from -90 to 90`;
  if (ring.length < 4) return `${place} should NOT have fewer than 4 items`;
  const positions = ring as Position[];
  const [first, last] = [positions[0], positions.at(-1)];
  if (first?.[0] !== last?.[0] || first?.[1] !== last?.[1]) return `${place} must end where it begins`;
  return goesAroundPole(positions) ? `${place} must not go around a pole` : null;
};

const problemOfRings = (rings: unknown, place: string): string | null => {
  if (!Array.isArray(rings)) return `${place} must be array`;
  if (rings.length === 0) return `${place} should NOT have fewer than 1 items`;
  for (const [index, ring] of rings.entries()) {
    const problem = problemOfRing(ring, `${place}[${index}]`);
    if (problem !== null) return problem;
  }
  return null;
};

const problemOfPolygons = (polygons: unknown, place: string): string | null => {
  if (!Array.isArray(polygons)) return `${place} must be array`;
  if (polygons.length === 0) return `${place} should NOT have fewer than 1 items`;
  for (const [index, rings] of polygons.entries()) {
    const problem = problemOfRings(rings, `${place}[${index}]`);
    if (problem !== null) return problem;
  }
  return null;
};

const readPolygon = ({ format, geojson }: Json): PolygonShape | ShapeProblem => {
  if (format !== 'geojson') return oneOf('.format', ['geojson']);
  if (!isObject(geojson)) return misfit('.geojson must be object');
  const { type, coordinates } = geojson;
  if (type !== 'Polygon' && type !== 'MultiPolygon')
    return oneOf('.geojson.type', ['Polygon', 'MultiPolygon']);
  const place = '.geojson.coordinates';
  const problem =
    type === 'Polygon' ? problemOfRings(coordinates, place) : problemOfPolygons(coordinates, place);
  if (problem !== null) return misfit(problem);
  const depth = type === 'Polygon' ? 1 : 2;
  if ((coordinates as unknown[]).flat(depth).length > positionsMax)
    return misfit(`${place} should NOT have more than ${positionsMax} positions`);
  return { type: 'polygon', format, geojson: { type, coordinates } as PolygonShape['geojson'] };
};

/** Reads what a caller sends as a shape. Source: reference 07 §9. */
export const readShape = (input: unknown): Shape | ShapeProblem => {
  if (!isObject(input)) return misfit(' must be object');
  if (input.type === 'polygon') return readPolygon(input);
  if (input.type !== 'circle') return oneOf('.type', ['circle', 'polygon']);
  if (input.format !== 'distance') return oneOf('.format', ['distance']);
  if (!isObject(input.distance)) return misfit('.distance must be object');
  const { center, radius } = input.distance;
  if (parseGeopoint(center) === null) return misfit('.distance.center must be a geopoint');
  if (parseRadius(radius) === null)
    return misfit('.distance.radius must be a distance above 0 in m, km or mi, as 1.54 km');
  return {
    type: 'circle',
    format: 'distance',
    distance: { center: center as string, radius: radius as string },
  };
};
