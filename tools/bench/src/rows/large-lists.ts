import type { Scrip } from '@scrip/testing';
import { percentile } from '../load';
import type { Row } from '../row';
import { cityOf, emailOf, largeCity, nameOf, type SeedSizes } from '../seed/seed-records';

/** Longest accepted p95 of a page, ms. */
const longestMs = 50;

/** How often a page is looked at, after a warm-up. */
export const looks = 60;
const warmUpLooks = 5;
const walkedPage = 100;
const pagesBefore = 99;

/** A list with all its orders, and its filters by what they say. */
interface LargeList {
  of: string;
  path: string;
  /** Of the answer, with the records. */
  key: string;
  orders: readonly string[];
  /** Whether a list in this order goes on behind a record. */
  hasCursor: (order: string) => boolean;
  /** The highest page. */
  pages: number;
  filters: (newest: { created_at: string; updated_at: string }) => Record<string, string>;
  /** Orders that a filter cannot go with. */
  contradicts?: (filter: string, order: string) => boolean;
}

const times = ({ created_at, updated_at }: { created_at: string; updated_at: string }) => ({
  'created after': `created_at[after]=${created_at}`,
  'created before': `created_at[before]=${created_at}`,
  'changed after': `updated_at[after]=${updated_at}`,
  'changed before': `updated_at[before]=${updated_at}`,
});

const isByCreation = (order: string): boolean => order.endsWith('created_at');

const bothWays = (...fields: string[]): string[] => fields.flatMap((field) => [field, `-${field}`]);

const condition = (field: string, operator: string, value: string): string =>
  `filters[${field}][conditions][${operator}]=${value}`;

const records = (path: string, of: string, key: string): LargeList => ({
  of,
  path,
  key,
  orders: bothWays('created_at', 'updated_at'),
  hasCursor: isByCreation,
  pages: 100,
  filters: (middle) => ({
    ...times(middle),
    'from a start date': `start_date=${middle.created_at}`,
    'until an end date': `end_date=${middle.created_at}`,
    'filter created after': condition('created_at', '$after', middle.created_at),
    'filter created before': condition('created_at', '$before', middle.created_at),
    'filter changed after': condition('updated_at', '$after', middle.updated_at),
    'filter changed before': condition('updated_at', '$before', middle.updated_at),
    'filter never changed': condition('updated_at', '$has_value', 'false'),
  }),
});

/** What lists are asked for by id. `segmentId`: of a tenth of the customers, where it was made. */
export interface ListedIds {
  firstProductId: string;
  segmentId: string | null;
}

const listsOf = (sizes: SeedSizes, { firstProductId, segmentId }: ListedIds): LargeList[] => {
  const many = (count: number): string => count.toLocaleString('en');
  return [
    {
      of: `${many(sizes.customers)} customers`,
      path: '/v1/customers',
      key: 'customers',
      orders: bothWays('created_at', 'updated_at', 'source_id'),
      hasCursor: () => true,
      pages: 99,
      filters: (middle) => ({
        ...times(middle),
        'e-mail address': `email=${emailOf(17)}`,
        name: `name=${encodeURIComponent(nameOf(17))}`,
        'city of a thousandth': `city=${encodeURIComponent(cityOf(17))}`,
        'city of a tenth': `city=${largeCity}`,
        'city of a tenth, and name': `city=${largeCity}&name=${encodeURIComponent(nameOf(20))}`,
        'city of a tenth, created after': `city=${largeCity}&created_at[after]=${middle.created_at}`,
        'city of a tenth, changed after': `city=${largeCity}&updated_at[after]=${middle.updated_at}`,
        ...(segmentId === null
          ? {}
          : {
              'segment of a tenth': `segment_id=${segmentId}`,
              'segment of a tenth, and name': `segment_id=${segmentId}&name=${encodeURIComponent(nameOf(20))}`,
            }),
        'behind a time': `starting_after=${middle.created_at}`,
      }),
      contradicts: (filter, order) => filter === 'behind a time' && order.endsWith('source_id'),
    },
    {
      of: `${many(sizes.orders)} orders`,
      path: '/v1/orders',
      key: 'orders',
      orders: bothWays('created_at', 'updated_at'),
      hasCursor: isByCreation,
      pages: 100,
      filters: () => ({}),
    },
    records('/v1/products', `${many(sizes.products)} products`, 'products'),
    records(`/v1/products/${firstProductId}/skus`, `${many(sizes.skusOfOne)} SKUs of a product`, 'skus'),
  ];
};

interface Looked {
  what: string;
  p95Ms: number;
  /** Of the record that was read in between. */
  p95MsOfOne: number;
}

const msOf = async (scrip: Scrip, path: string): Promise<number> => {
  const startedAt = performance.now();
  await scrip.ask('GET', path);
  return performance.now() - startedAt;
};

/** Looks at a page and at one record in turn: whatever else the machine does, both feel it. */
const look = async (scrip: Scrip, what: string, page: string, one: string): Promise<Looked> => {
  const [pageMs, oneMs] = [[] as number[], [] as number[]];
  for (let count = -warmUpLooks; count < looks; count += 1) {
    const [ofPage, ofOne] = [await msOf(scrip, page), await msOf(scrip, one)];
    if (count < 0) continue;
    pageMs.push(ofPage);
    oneMs.push(ofOne);
  }
  const looked = { what, p95Ms: percentile(pageMs, 0.95), p95MsOfOne: percentile(oneMs, 0.95) };
  console.log(
    `${what}: p50 ${percentile(pageMs, 0.5).toFixed(1)} ms, p95 ${looked.p95Ms.toFixed(1)} ms; one record p95 ${looked.p95MsOfOne.toFixed(1)} ms`,
  );
  return looked;
};

type Answer = Record<string, { id: string; created_at: string; updated_at: string | null }[]>;

/** What asks for the hundredth page of a hundred: behind the record before it, where the order has a cursor. */
const lateQuery = async (scrip: Scrip, list: LargeList, order: string): Promise<string> => {
  if (!list.hasCursor(order)) return `&limit=${walkedPage}&page=${list.pages}`;
  let behind = '';
  for (let page = 0; page < pagesBefore; page += 1) {
    const query = `?order=${order}&limit=${walkedPage}${behind}`;
    const last = (await scrip.ask<Answer>('GET', `${list.path}${query}`))[list.key]?.at(-1);
    if (!last) break;
    behind = `&starting_after_id=${last.id}`;
  }
  return `&limit=${walkedPage}${behind}`;
};

const ms = (value: number): string => `${value.toFixed(1)} ms`;

const slowestOf = (looked: readonly Looked[]): Looked | undefined =>
  looked.reduce<Looked | undefined>((a, b) => (a && a.p95Ms >= b.p95Ms ? a : b), undefined);

const rowOf = (work: string, pages: readonly [Looked, Looked], filtered: readonly Looked[]): Row => {
  const all = [...pages, ...filtered];
  const slowest = slowestOf(filtered);
  const late = filtered.filter(({ p95Ms }) => p95Ms > longestMs);
  const others = late.map(({ what, p95Ms }) => `${what} ${ms(p95Ms)}`).join('; ');
  return {
    work,
    measured: [
      `p95 ${ms(pages[0].p95Ms)}`,
      `the hundredth page of a hundred ${ms(pages[1].p95Ms)}`,
      ...(slowest
        ? [`the slowest of ${filtered.length} filters ${ms(slowest.p95Ms)} (${slowest.what})`]
        : []),
      ...(late.length > 1 ? [`late: ${others}`] : []),
    ].join(', '),
    baseline: `one record p95 ${ms(Math.max(...all.map(({ p95MsOfOne }) => p95MsOfOne)))} at most`,
    bar: `p95 ≤ ${longestMs} ms each`,
    met: all.every(({ p95Ms }) => p95Ms <= longestMs),
  };
};

const rowsOf = async (scrip: Scrip, list: LargeList): Promise<Row[]> => {
  // Half of the records are older than this one, or nearly.
  const newest = (await scrip.ask<Answer>('GET', `${list.path}?order=-created_at&limit=1`))[list.key]?.[0];
  if (!newest) throw new Error(`${list.path} is empty`);
  const middle = new Date(Date.parse(newest.created_at) - 365 * 24 * 3_600_000).toISOString();
  const filters = Object.entries(list.filters({ created_at: middle, updated_at: middle }));
  const one = `/v1/${list.key}/${newest.id}`;
  const rows: Row[] = [];
  for (const order of list.orders) {
    const lookAt = (what: string, query: string) =>
      look(scrip, what, `${list.path}?order=${order}${query}`, one);
    console.log(`${list.of} in the order ${order}`);
    const pages = [
      await lookAt('first page', ''),
      await lookAt('late page', await lateQuery(scrip, list, order)),
    ] as const;
    const filtered: Looked[] = [];
    for (const [filter, query] of filters)
      if (!list.contradicts?.(filter, order)) filtered.push(await lookAt(filter, `&${query}`));
    rows.push(rowOf(`list of ${list.of}, order ${order}`, pages, filtered));
  }
  return rows;
};

/** Pages of every list of customers, orders, products and SKUs in each order and with each filter, one caller. */
export const largeListRows = async (scrip: Scrip, sizes: SeedSizes, ids: ListedIds): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const list of listsOf(sizes, ids)) rows.push(...(await rowsOf(scrip, list)));
  return rows;
};
