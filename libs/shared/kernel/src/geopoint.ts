/** A place on the globe, in degrees: latitude −90 to 90, longitude −180 to 180. */
export interface Geopoint {
  latitude: number;
  longitude: number;
}

const form = /^(?:geo:)?(-?\d{1,2}(?:\.\d{1,20})?),(-?\d{1,3}(?:\.\d{1,20})?)$/;

/** Returns the place that a text names, `geo:40.7128,-74.0060` or `40.7128,-74.0060`; null where it names none. Source: reference 07 §8. */
export const parseGeopoint = (value: unknown): Geopoint | null => {
  const [, latitude, longitude] = (typeof value === 'string' ? form.exec(value) : null) ?? [];
  if (latitude === undefined || Math.abs(Number(latitude)) > 90 || Math.abs(Number(longitude)) > 180)
    return null;
  return { latitude: Number(latitude), longitude: Number(longitude) };
};
