import type { RouteRow } from '@scrip/contracts/registry';

/** A media type and its charset from a Content-Type header, lower-case. */
export const mediaTypeOf = (header: string): { type: string; charset: string | null } => {
  const [type = '', ...parameters] = header.toLowerCase().split(';');
  const charset = parameters
    .map((parameter) => parameter.trim())
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  return { type: type.trim(), charset: charset ?? null };
};

const isJsonType = (type: string): boolean =>
  type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type);

/** The media type that routes are documented with, by what they consume. */
export const consumedType = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  upload: 'multipart/form-data',
} as const satisfies Record<RouteRow['consumes'], string>;

/** Whether a body of this Content-Type and Content-Encoding can be read on a route that consumes `kind`. */
export const isConsumable = (
  kind: RouteRow['consumes'],
  contentType: string | undefined,
  contentEncoding: string | undefined,
): boolean => {
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') return false;
  const { type, charset } = mediaTypeOf(contentType ?? '');
  if (charset !== null && !['utf-8', 'utf8', 'us-ascii'].includes(charset)) return false;
  if (kind === 'json') return isJsonType(type);
  // JSON in the place of a form with a file is told what it lacks.
  return type === consumedType[kind] || (kind === 'upload' && isJsonType(type));
};

const matches = (range: string, type: string): boolean => {
  const [family = ''] = type.split('/');
  return range === '*/*' || range === '*' || range === type || range === `${family}/*`;
};

/** Whether an Accept header admits one of the offered types; no header admits all. A range with `q=0` admits nothing,
 *  and the most specific range decides. */
export const isAcceptable = (accept: string | undefined, offered: readonly string[]): boolean => {
  if (accept === undefined || accept.trim() === '' || offered.length === 0) return true;
  const ranges = accept
    .toLowerCase()
    .split(',')
    .map((part) => {
      const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim());
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return {
        range,
        admitted: quality === undefined || Number(quality) > 0,
        exactness: range.replace(/[^*]/g, '').length,
      };
    })
    .sort((left, right) => left.exactness - right.exactness);
  return offered.some((type) => ranges.find(({ range }) => matches(range, type))?.admitted ?? false);
};
