import fc from 'fast-check';
import type { RouteMethod, RouteRow } from '@scrip/contracts/registry';
import { consumedType } from '../media/media-types';

/** A request that may be wrong in any way HTTP allows. `body` goes out as it is. */
export interface MalformedRequest {
  method: RouteMethod;
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  body?: string;
}

const specialNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'then',
  'length',
  'id',
  'object',
  'metadata',
];

// Made when requests are: fast-check takes a second of processor time to list all characters there are.
const odd = () =>
  fc.oneof(
    fc.constantFrom<unknown>(
      null,
      true,
      0,
      -1,
      0.1,
      2 ** 53,
      1e308,
      -1e308,
      '',
      ' ',
      '\0',
      '\ud800',
      '%',
      '2026-02-30',
      '\u202e',
      [],
      {},
      [[]],
    ),
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.jsonValue({ maxDepth: 4 }),
  );

type Change = { kind: 'replace' | 'delete' | 'add'; at: number; name: string; value: unknown };

const change = (): fc.Arbitrary<Change> =>
  fc.record({
    kind: fc.constantFrom('replace' as const, 'delete' as const, 'add' as const),
    at: fc.nat(1_000),
    name: fc.oneof(fc.constantFrom(...specialNames), fc.string()),
    value: odd(),
  });

type Container = Record<string, unknown>;

const containersIn = (value: unknown): Container[] =>
  typeof value === 'object' && value !== null
    ? [value as Container, ...Object.values(value).flatMap(containersIn)]
    : [];

const put = (container: Container, name: string, value: unknown): void => {
  Object.defineProperty(container, name, { value, enumerable: true, configurable: true, writable: true });
};

/** The sample with one property replaced, left out or added somewhere in it. */
const changed = (sample: unknown, { kind, at, name, value }: Change): unknown => {
  const copy = structuredClone(sample);
  const places = containersIn(copy).flatMap((container) =>
    Object.keys(container).map((key) => ({ container, key })),
  );
  const place = places[at % Math.max(places.length, 1)];
  if (!place || Array.isArray(place.container)) return value;
  if (kind === 'delete') delete place.container[place.key];
  else put(place.container, kind === 'add' ? name : place.key, value);
  return copy;
};

const bodyOf = (sample: unknown): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .array(change(), { minLength: 1, maxLength: 3 })
        .map((changes) => JSON.stringify(changes.reduce(changed, sample)) ?? ''),
    },
    { weight: 2, arbitrary: odd().map((value) => JSON.stringify(value) ?? '') },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
    { weight: 1, arbitrary: fc.nat(200).map((length) => (JSON.stringify(sample) ?? '').slice(0, length)) },
  );

const boundary = 'boundary';

const partOf = (name: string, text: string): string => {
  const fileName = name === 'file' ? '; filename="a.csv"' : '';
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${fileName}\r\n\r\n${text}\r\n`;
};

const oddText = () =>
  fc.oneof(odd().map(String), fc.string({ unit: 'binary' }), fc.constantFrom('"', 'a,b\n"', 'a\n1,2\n'));

/** Forms with a file, and texts that are none. `sample`: a good text of the file. */
const formOf = (sample: unknown): fc.Arbitrary<string> => {
  const good = typeof sample === 'string' ? sample : '';
  const text = oddText();
  const part = fc
    .tuple(fc.constantFrom('file', 'file', 'mapping', 'dry_run', '', 'x'), fc.oneof(fc.constant(good), text))
    .map(([name, value]) => partOf(name, value));
  const form = fc.array(part, { maxLength: 4 }).map((parts) => `${parts.join('')}--${boundary}--\r\n`);
  return fc.oneof(
    { weight: 6, arbitrary: form },
    { weight: 2, arbitrary: fc.tuple(form, fc.nat(300)).map(([whole, length]) => whole.slice(0, length)) },
    { weight: 1, arbitrary: text },
  );
};

const segment = fc.oneof(
  fc.constantFrom(
    '%00',
    '%',
    '%E0%A4',
    '%ED%A0%80',
    '..',
    '%2e%2e',
    '%2F',
    "'",
    '%22',
    '*',
    '{}',
    '~',
    'x'.repeat(3_000),
  ),
  fc.string({ minLength: 1 }).map((text) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, ''))),
);

const queryPart = fc
  .tuple(
    fc.constantFrom(
      'limit',
      'page',
      'order',
      'end_date',
      'filters[a][conditions][$is]',
      '[filters]',
      'created_at[before]',
      '__proto__[x]',
      'a[][][]',
    ),
    fc.oneof(
      fc.constantFrom('0', '101', '-1', '1e3', '9'.repeat(400), '%00', '%', 'null', ''),
      fc.string().map((text) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, ''))),
    ),
  )
  .map(([name, value]) => `${name}=${value}`);

const extraHeaders = fc.constantFrom<Record<string, string>>(
  {},
  {},
  {},
  { 'idempotency-key': 'x'.repeat(300) },
  { accept: 'text/csv' },
  { accept: ';;;,q=,*' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': '/' },
  { 'content-encoding': 'gzip' },
  { 'x-service-api-version': '1' },
  { authorization: 'Bearer' },
  { traceparent: 'zz' },
);

/** Generates requests for a row: a good body (`sample`) changed in places or replaced, odd path parameters, queries and
 *  headers. `headers` are the good credentials; `goodQuery`: parts that its query begins with. */
export const malformedRequest = (
  row: RouteRow,
  {
    headers,
    parameters,
    goodQuery = [],
    sample,
  }: {
    headers: Record<string, string>;
    parameters: Record<string, string>;
    goodQuery?: readonly string[];
    sample: unknown;
  },
): fc.Arbitrary<MalformedRequest> => {
  const takesBody = row.method === 'POST' || row.method === 'PUT';
  const isUpload = row.consumes === 'upload';
  const mediaType = consumedType[row.consumes] + (isUpload ? `; boundary=${boundary}` : '');
  const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const path = fc
    .tuple(
      ...names.map((name) =>
        name === 'projectId'
          ? fc.constant(parameters[name] ?? '')
          : fc.oneof(segment, fc.constant(parameters[name] ?? 'x')),
      ),
    )
    .map((values) =>
      names.reduce((left, name, index) => left.replace(`{${name}}`, () => values[index] ?? ''), row.path),
    );
  return fc
    .record({
      path,
      query: fc.array(queryPart, { maxLength: 3 }).map((parts) => [...goodQuery, ...parts]),
      extra: extraHeaders,
      body: takesBody ? (isUpload ? formOf(sample) : bodyOf(sample ?? {})) : fc.constant(undefined),
    })
    .map(({ path: filled, query, extra, body }) => ({
      method: row.method,
      target: query.length > 0 ? `${filled}?${query.join('&')}` : filled,
      headers: { ...(takesBody ? { 'content-type': mediaType } : {}), ...headers, ...extra },
      ...(body === undefined ? {} : { body }),
    }));
};
