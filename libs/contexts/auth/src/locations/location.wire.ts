import type { Location } from './location.table';

/** All within a distance of a place, its boundary included. */
export interface CircleResponse {
  type: 'circle';
  format: 'distance';
  distance: {
    /** `geo:40.7128,-74.0060`: latitude and longitude. */
    center: string;
    /** `1.54 km` */
    radius: string;
  };
}

/** What a polygon or several cover, as GeoJSON (RFC 7946): longitude first. */
export interface PolygonResponse {
  type: 'polygon';
  format: 'geojson';
  geojson:
    { type: 'Polygon'; coordinates: number[][][] } | { type: 'MultiPolygon'; coordinates: number[][][][] };
}

/** A named part of the globe. Source: reference 07 §9. */
export interface LocationResponse {
  /** `loc_…` */
  id: string;
  object: 'location';
  name: string;
  shape: CircleResponse | PolygonResponse;
  created_at: string;
  updated_at: string | null;
}

/** Renders a location. */
export const renderLocation = ({ id, name, shape, created_at, updated_at }: Location): LocationResponse => ({
  id,
  object: 'location',
  name,
  shape,
  created_at: created_at.toISOString(),
  updated_at: updated_at?.toISOString() ?? null,
});
