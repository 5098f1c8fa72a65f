import type { CustomerInput, SegmentSnapshot } from '@scrip/contracts/customers';
import { storedFilter, StatementValues } from '@scrip/list-query';
import { noPlaces } from '@scrip/metadata';
import { rounds, projectOf, waitUntil } from '@scrip/testing';
import type { DataSource } from 'typeorm';
import { bootCustomers, type CustomersOverHttp } from '../customers-http.fixture';
import { Candidates } from './candidates';
import { factsRead } from './facts-read';
import { segmentFilterSql } from './segment-filter';
import { matchingSegments } from './segment-matching';

const projectId = 'proj_many';
const project = projectOf({ id: projectId, timezone: 'Europe/Warsaw' });

let fixture: CustomersOverHttp;
let database: DataSource;

beforeAll(async () => {
  fixture = await bootCustomers('candidates');
  ({ database } = fixture);
});
afterAll(() => fixture?.running.close());

/** The same numbers in every run. */
const numbers = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
};

const cities = ['London', 'Leeds', 'łódź', ''];
const names = ['Ada', 'Bob', ''];

const anyCustomer = (below: (count: number) => number): CustomerInput => ({
  ...(below(4) ? { address: { city: cities[below(4)]! } } : {}),
  ...(below(4) ? { name: names[below(3)]! } : {}),
  ...(below(3) ? { email: `${below(5)}@example.com` } : {}),
  ...(below(3) ? { birthdate: `19${60 + below(30)}-03-31` } : {}),
  metadata: { level: below(4), ...(below(2) ? { tags: ['a', 'b'].slice(below(2)) } : {}) },
});

const conditionsOf: [field: string, conditions: Record<string, unknown[]>][] = [
  ['city', { $is: ['London'] }],
  ['city', { $in: ['Leeds', 'łódź'] }],
  ['city', { $is: ['London', ''] }],
  ['city', { $is_not: ['London'] }],
  ['city', { $is: ['London'], $is_not: ['London'] }],
  ['city', { $starts_with: ['L'] }],
  ['name', { $is: ['Ada'] }],
  ['name', { $is_unknown: [] }],
  ['email', { $in: ['1@example.com', '2@example.com'] }],
  ['email', { $not_in: ['1@example.com'] }],
  ['birthdate', { $before: ['1975-01-01'] }],
  ['created_at', { $after: ['2020-01-01T00:00:00Z'] }],
  ['updated_at', { $has_value: [] }],
  ['metadata.level', { $more_than: [1] }],
  ['metadata.tags', { $is: ['a'] }],
  ['address.city', { $is: ['London'] }],
  ['summary.orders.total_count', { $more_than: [0] }],
  ['summary.orders.last_order_date', { $has_value: [] }],
  ['publications.related_object_id', { $is: ['camp_1'] }],
  ['publications.related_object_id', { $not_in: ['camp_1', 'v_2'] }],
  ['publications.created_at', { $before: ['2026-03-01T00:00:00Z'] }],
];

const anyFilter = (below: (count: number) => number): Record<string, unknown> => {
  const fields = Array.from({ length: 1 + below(3) }, () => conditionsOf[below(conditionsOf.length)]!);
  return storedFilter({ junction: below(2) ? 'and' : 'or', fields: Object.fromEntries(fields) });
};

/** Who matches, tested on whole customers as answers show them. */
const matching = async (
  filter: Record<string, unknown>,
  shown: readonly { id: string }[],
): Promise<string[]> => {
  const { add, all } = new StatementValues();
  const documents = add(JSON.stringify(shown.map((doc) => ({ id: doc.id, doc }))));
  const sql = segmentFilterSql(filter, { project, now: new Date(), typeOf: () => undefined }, add);
  const rows = await database.query<{ id: string }[]>(
    `SELECT c.id FROM jsonb_to_recordset(${documents}::jsonb) AS c(id text, doc jsonb)
     WHERE ${String(sql)} ORDER BY c.id COLLATE "C"`,
    all,
  );
  return rows.map(({ id }) => id);
};

/** Creates a segment for each filter and returns their ids, in order. By a few callers: creations in a project follow one another, and
 *  the last of many at once may wait longer than a call does. */
const createdWith = async (filters: readonly object[]): Promise<string[]> => {
  const ids: string[] = [];
  let next = 0;
  const caller = async (): Promise<void> => {
    for (let place = next++; place < filters.length; place = next++) {
      const body = { name: 'Any', type: 'auto-update', filter: filters[place] };
      const created = await fixture.call('POST', '/v1/segments', body, projectId);
      expect(created).toMatchObject({ status: 200, body: { id: expect.any(String) } });
      ids[place] = created.body.id;
    }
  };
  await Promise.all(Array.from({ length: 5 }, caller));
  return ids;
};

test('a segment has those customers whose whole documents match its filter, whatever is read of them', async () => {
  const below = numbers(7);
  const ids = await Promise.all(
    Array.from({ length: 60 }, () => fixture.customer(anyCustomer(below), projectId)),
  );
  await database.query(
    `INSERT INTO customer_order_summaries (project_id, customer_id, total_amount, total_count, last_order_amount, last_order_at)
     SELECT $1, id, 500, 2, 300, now() FROM unnest($2::text[]) id`,
    [projectId, ids.filter((_, index) => index % 5 === 0)],
  );
  await database.query(
    `WITH published AS (
       INSERT INTO customer_published_objects (project_id, customer_id, object_id, published_at)
       SELECT $1, id, object, day FROM unnest($2::text[]) id,
         (VALUES ('camp_1', '2026-02-01'::timestamptz), ('v_2', '2026-04-01')) n(object, day)
       WHERE hashtext(id || object) % 2 = 0
       RETURNING project_id, customer_id, published_at)
     INSERT INTO customer_publications (project_id, customer_id, published_at) SELECT * FROM published`,
    [projectId, ids],
  );
  // As a release without lists leaves them.
  await database.query(
    `UPDATE customer_keys SET listed = NULL, city_hash = NULL, name_hash = NULL, email_hash = NULL
     WHERE project_id = $1 AND customer_id = ANY($2)`,
    [projectId, ids.filter((_, index) => index % 7 === 0)],
  );
  await fixture.call('PUT', `/v1/customers/${ids[3]}`, { metadata: { level: 3 } }, projectId);
  await fixture.call('DELETE', `/v1/customers/${ids[4]}`, undefined, projectId);
  const live = ids.filter((_, index) => index !== 4);
  const shown = await Promise.all(
    live.map(async (id) => (await fixture.call('GET', `/v1/customers/${id}`, undefined, projectId)).body),
  );
  const filters = Array.from({ length: Math.min(90, Math.max(20, rounds(300))) }, () => anyFilter(below));
  const segments = await createdWith(filters);
  await waitUntil(
    async () =>
      (await database.query('SELECT FROM segment_builds WHERE project_id = $1', [projectId])).length === 0,
    { what: 'the end of the builds' },
  );
  const candidates = fixture.running.app.get(Candidates, { strict: false });
  const at = { project, now: new Date(), typeOf: () => undefined, placesIn: async () => noPlaces };
  /** Who matches any of the filters, as a change of all customers is tested. */
  const tested = async (tests: readonly Record<string, unknown>[]): Promise<string[]> => {
    const testedBy = tests.map(
      (filter, place) => ({ id: String(place), filter }) as unknown as SegmentSnapshot,
    );
    const read = { facts: factsRead(testedBy, at), testedBy };
    const named = await candidates.named(database, projectId, live, read);
    const matches = await matchingSegments(database, { ...at, segments: testedBy }, named);
    return [...matches].flatMap(([id, matched]) => (matched.size > 0 ? [id] : [])).sort();
  };
  for (const [index, filter] of filters.entries()) {
    const other = filters[index + 1] ?? filter;
    const either = [...(await matching(filter, shown)), ...(await matching(other, shown))];
    expect({ filter, other, tested: await tested([filter, other]) }).toEqual({
      ...{ filter, other },
      tested: [...new Set(either)].sort(),
    });
    const members = await database.query<{ id: string }[]>(
      'SELECT customer_id AS id FROM segment_members WHERE segment_id = $1 ORDER BY customer_id',
      [segments[index]],
    );
    expect({ filter, members: members.map(({ id }) => id) }).toEqual({
      filter,
      members: await matching(filter, shown),
    });
  }
});

test('who changes after having been read is read again under the lock, and who was deleted is not locked', async () => {
  const candidates = fixture.running.app.get(Candidates, { strict: false });
  const facts = { profile: true, sums: false, publications: false };
  const at = 'proj_changes';
  const live = (city: string) => fixture.customer({ address: { city } }, at);
  const [ada, bob, carl] = [await live('London'), await live('London'), await live('London')];
  const read = await candidates.named(database, at, [ada, bob, carl], { facts });
  await fixture.call('PUT', `/v1/customers/${bob}`, { address: { city: 'Leeds' } }, at);
  await fixture.call('DELETE', `/v1/customers/${carl}`, undefined, at);
  const { unchanged, changed } = await database.transaction((manager) =>
    candidates.locked(manager, at, read, { facts }),
  );
  expect(unchanged.map(({ id }) => id)).toEqual([ada]);
  expect(changed).toEqual([
    expect.objectContaining({ id: bob, doc: expect.objectContaining({ address: { city: 'Leeds' } }) }),
  ]);
});
