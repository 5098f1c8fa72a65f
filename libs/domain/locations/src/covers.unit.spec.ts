import { parseGeopoint } from '@scrip/kernel';
import { coversOf } from './covers';
import type { Position, Shape } from './shape';

const circle = (center: string, radius: string): Shape => ({
  type: 'circle',
  format: 'distance',
  distance: { center, radius },
});
const box = (west: number, south: number, east: number, north: number): Position[] => [
  ...([
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ] as Position[]),
];
const polygon = (...coordinates: Position[][]): Shape => ({
  type: 'polygon',
  format: 'geojson',
  geojson: { type: 'Polygon', coordinates },
});
const polygons = (...coordinates: Position[][][]): Shape => ({
  type: 'polygon',
  format: 'geojson',
  geojson: { type: 'MultiPolygon', coordinates },
});

const isIn = (shape: Shape, place: string): boolean => coversOf(shape)(parseGeopoint(place)!);

// One degree of a great circle of the mean Earth has 111,195.08 m.
test.each([
  ['its centre', circle('geo:52.2297,21.0122', '1 m'), '52.2297,21.0122', true],
  ['a place within', circle('52.2297,21.0122', '10 km'), '52.25,21', true],
  ['a place beyond', circle('52.2297,21.0122', '10 km'), '52.4,21', false],
  ['its boundary on a meridian', circle('0,0', '111.195080234 km'), '1,0', true],
  ['what lies a centimetre farther', circle('0,0', '111.19507 km'), '1,0', false],
  ['its boundary on the equator', circle('0,0', '111.195080234 km'), '0,-1', true],
  ['a place across the antimeridian', circle('0,179.9', '30 km'), '0,-179.9', true],
  ['a place across the pole', circle('89.9,0', '30 km'), '89.9,180', true],
  ['a place in miles', circle('0,0', '69.1 mi'), '1,0', true],
  ['the other side of the globe', circle('0,0', '20015 km'), '0,180', false],
])('a circle: %s', (_, shape, place, inside) => {
  expect(isIn(shape, place)).toBe(inside);
});

const holed = polygon(box(0, 0, 10, 10), box(4, 4, 6, 6));
const pacific = polygon(box(170, -10, -170, 10), box(179, -1, -179, 1));

test.each([
  ['a place within', holed, '1,1', true],
  ['a place outside', holed, '11,1', false],
  ['an edge', holed, '0,5', true],
  ['a corner', holed, '10,10', true],
  ['a hole', holed, '5,5', false],
  ['the edge of a hole', holed, '4,5', true],
  ['west of the antimeridian', pacific, '5,175', true],
  ['east of the antimeridian', pacific, '5,-175', true],
  ['on the antimeridian', pacific, '5,180', true],
  ['on it from the other side', pacific, '5,-180', true],
  ['a hole across the antimeridian', pacific, '0,-179.5', false],
  ['west of all of it', pacific, '0,169', false],
  ['what lies opposite', pacific, '0,0', false],
  ['the first of two', polygons([box(0, 0, 1, 1)], [box(5, 5, 6, 6)]), '0.5,0.5', true],
  ['the second of two', polygons([box(0, 0, 1, 1)], [box(5, 5, 6, 6)]), '5.5,5.5', true],
  ['between the two', polygons([box(0, 0, 1, 1)], [box(5, 5, 6, 6)]), '3,3', false],
  [
    'a hole that another fills',
    polygons([box(0, 0, 9, 9), box(3, 3, 6, 6)], [box(4, 4, 5, 5)]),
    '4.5,4.5',
    true,
  ],
  ['an outline that turns the other way', polygon([...box(0, 0, 10, 10)].reverse()), '1,1', true],
])('a polygon: %s', (_, shape, place, inside) => {
  expect(isIn(shape, place)).toBe(inside);
});
