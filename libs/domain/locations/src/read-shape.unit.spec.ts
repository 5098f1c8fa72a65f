import { readShape } from './read-shape';
import { positionsMax } from './shape';

const circle = (distance: unknown) => ({ type: 'circle', format: 'distance', distance });
const polygon = (coordinates: unknown, type = 'Polygon') => ({
  type: 'polygon',
  format: 'geojson',
  geojson: { type, coordinates },
});
const square = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 0],
];

test.each([
  ['a circle', circle({ center: 'geo:40.7128,-74.0060', radius: '1.54 km' })],
  ['a circle in metres', circle({ center: '40.7128,-74.0060', radius: '500m' })],
  ['a polygon', polygon([square])],
  ['a polygon with a hole', polygon([square, square])],
  ['polygons', polygon([[square], [square]], 'MultiPolygon')],
])('%s is read as it is sent', (_, shape) => {
  expect(readShape(shape)).toEqual(shape);
});

const wrongRadius = '.distance.radius must be a distance above 0 in m, km or mi, as 1.54 km';
const wrongPosition = 'must be a longitude from -180 to 180 and a latitude from -90 to 90';

test.each([
  ['nothing', undefined, ' must be object'],
  ['a list', [], ' must be object'],
  [
    'another type',
    { type: 'square' },
    '.type should be equal to one of the allowed values [ circle, polygon ]',
  ],
  [
    'a circle in GeoJSON',
    { type: 'circle', format: 'geojson' },
    '.format should be equal to one of the allowed values [ distance ]',
  ],
  ['no distance', circle(null), '.distance must be object'],
  ['no centre', circle({ radius: '1 km' }), '.distance.center must be a geopoint'],
  [
    'a centre beyond the pole',
    circle({ center: '91,0', radius: '1 km' }),
    '.distance.center must be a geopoint',
  ],
  ['no radius', circle({ center: '0,0' }), wrongRadius],
  ['a radius of nothing', circle({ center: '0,0', radius: '0 km' }), wrongRadius],
  ['a radius without a unit', circle({ center: '0,0', radius: '5' }), wrongRadius],
  ['a radius beyond the globe', circle({ center: '0,0', radius: '20016 km' }), wrongRadius],
  [
    'a polygon by distance',
    { type: 'polygon', format: 'distance' },
    '.format should be equal to one of the allowed values [ geojson ]',
  ],
  ['no GeoJSON', { type: 'polygon', format: 'geojson' }, '.geojson must be object'],
  [
    'a point',
    polygon([0, 0], 'Point'),
    '.geojson.type should be equal to one of the allowed values [ Polygon, MultiPolygon ]',
  ],
  ['no coordinates', polygon(undefined), '.geojson.coordinates must be array'],
  ['no ring', polygon([]), '.geojson.coordinates should NOT have fewer than 1 items'],
  ['a ring that is none', polygon([1]), '.geojson.coordinates[0] must be array'],
  [
    'a triangle of two',
    polygon([square.slice(0, 3)]),
    '.geojson.coordinates[0] should NOT have fewer than 4 items',
  ],
  [
    'an open ring',
    polygon([[...square.slice(0, 3), [5, 5]]]),
    '.geojson.coordinates[0] must end where it begins',
  ],
  ['latitude first', polygon([[[0, 91], ...square.slice(1)]]), `.geojson.coordinates[0][0] ${wrongPosition}`],
  ['a position with a height', polygon([square, [[0, 0, 0]]]), `.geojson.coordinates[1][0] ${wrongPosition}`],
  ['no polygons', polygon([], 'MultiPolygon'), '.geojson.coordinates should NOT have fewer than 1 items'],
  [
    'polygons without depth',
    polygon([square], 'MultiPolygon'),
    '.geojson.coordinates[0][0][0] must be a longitude from -180 to 180 and a latitude from -90 to 90',
  ],
  [
    'a ring around a pole',
    polygon([
      [
        [0, 80],
        [120, 80],
        [-120, 80],
        [0, 80],
      ],
    ]),
    '.geojson.coordinates[0] must not go around a pole',
  ],
  [
    'too many positions',
    polygon([[...Array.from({ length: positionsMax }, () => [0, 0]), [0, 0]]]),
    `.geojson.coordinates should NOT have more than ${positionsMax} positions`,
  ],
])('%s is no shape', (_, shape, problem) => {
  expect(readShape(shape)).toEqual({ problem });
});
