import { isCalendarDay, parseGeopoint, parseInstant } from '@scrip/kernel';
import type { MetadataType } from './definition';

/** What a type asks of a value. `ofCell`: the value that a text of a CSV file stands for; undefined where the text is
 *  the value itself, or stands for none. */
interface ValueType {
  phrase: string;
  accepts(value: unknown): boolean;
  ofCell?(text: string): unknown;
}

const isImageUrl = (value: unknown): boolean => {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, pathname } = new URL(value);
  return /^https?:$/.test(protocol) && /\.(?:png|jpe?g)$/i.test(pathname);
};

/** Whether a value is an object in JSON. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The types, with what they say of a value that does not fit. Source: reference 07 §8. */
export const valueTypes: Record<MetadataType, ValueType> = {
  string: { phrase: 'must be a string', accepts: (value) => typeof value === 'string' },
  number: {
    phrase: 'must be a number',
    accepts: (value) => Number.isFinite(value),
    ofCell: (text) => (/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined),
  },
  boolean: {
    phrase: 'must be a boolean',
    accepts: (value) => typeof value === 'boolean',
    ofCell: (text) => ({ true: true, false: false })[text.toLowerCase()],
  },
  date: { phrase: 'must be a date', accepts: isCalendarDay },
  datetime: { phrase: 'must be a datetime', accepts: (value) => parseInstant(value) !== null },
  image_url: { phrase: 'must be a URL pointing to JPG/JPEG or PNG resource', accepts: isImageUrl },
  geopoint: { phrase: 'must be a geopoint', accepts: (value) => parseGeopoint(value) !== null },
  object: { phrase: 'must be an object', accepts: isJsonObject },
};
