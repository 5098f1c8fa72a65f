import { IsAnything, IsText, type JsonSchema } from '@scrip/edge';
import { IsOptional } from 'class-validator';

/** Rings of positions, or a list of polygons. */
const coordinatesSchema: JsonSchema = {
  type: 'array',
  items: { type: 'array', items: { type: 'array', items: {} } },
};

const shapeSchema: JsonSchema = {
  description:
    'A circle by `distance`, or a polygon or several as GeoJSON, with longitude first and at most 2,000 positions.',
  anyOf: [
    {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['circle'] },
        format: { type: 'string', enum: ['distance'] },
        distance: {
          type: 'object',
          properties: {
            center: { type: 'string', description: '`geo:40.7128,-74.0060`' },
            radius: { type: 'string', description: '`1.54 km`; m, km or mi.' },
          },
          required: ['center', 'radius'],
        },
      },
      required: ['type', 'format', 'distance'],
    },
    {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['polygon'] },
        format: { type: 'string', enum: ['geojson'] },
        geojson: {
          type: 'object',
          properties: {
            type: { type: 'string', enum: ['Polygon', 'MultiPolygon'] },
            coordinates: coordinatesSchema,
          },
          required: ['type', 'coordinates'],
        },
      },
      required: ['type', 'format', 'geojson'],
    },
  ],
};

/** Source: reference 07 §9. */
export class LocationBody {
  @IsText({ min: 1, max: 255 })
  name: string;

  @IsAnything(shapeSchema)
  shape: unknown;
}

/** Source: reference 07 §9. */
export class LocationChangeBody {
  @IsOptional()
  @IsText({ min: 1, max: 255 })
  name?: string;

  @IsOptional()
  @IsAnything(shapeSchema)
  shape?: unknown;
}
