import { IsAnything, IsText, type JsonSchema } from '@scrip/edge';
import { IsOptional } from 'class-validator';

const shapeSchema: JsonSchema = {
  description:
    'A circle by `distance`, or a polygon or several as GeoJSON, with longitude first and at most 2,000 positions.',
  anyOf: [
    {
      type: 'object',
      properties: {
        type: { type: 'string', const: 'circle' },
        format: { type: 'string', const: 'distance' },
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
        type: { type: 'string', const: 'polygon' },
        format: { type: 'string', const: 'geojson' },
        geojson: {
          type: 'object',
          properties: {
            type: { type: 'string', enum: ['Polygon', 'MultiPolygon'] },
            coordinates: { type: 'array', items: { type: 'array' } },
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
