import type { StoredEvent } from '@scrip/event-store';
import type { EventBatch } from '@scrip/messaging';
import { storedFilter } from '@scrip/list-query';
import { noPlaces } from '@scrip/metadata';
import { holdFirst, projectOf, touchedRows, waitUntil } from '@scrip/testing';
import type { SegmentSnapshot } from '@scrip/contracts/customers';
import type { DataSource, EntityManager } from 'typeorm';
import { bootCustomers, type CustomersOverHttp } from '../customers-http.fixture';
import { SummariesProjection } from '../summary/summaries.projection';
import { Candidates } from './candidates';
import { Retests } from './retests';
import { matchingSegments } from './segment-matching';

const of = 'publications.related_object_id';
const at = 'publications.created_at';

const day = (number: number): string => `2026-03-${String(number).padStart(2, '0')}T10:00:00.000Z`;

interface Published {
  customer: string;
  vouchers: string[];
  campaign?: string | null;
  on?: string;
  result?: 'SUCCESS' | 'FAILURE';
}

describe('filters of segments by publications', () => {
  let fixture: CustomersOverHttp;
  let database: DataSource;

  beforeAll(async () => {
    fixture = await bootCustomers('segment_publications');
    ({ database } = fixture);
  });
  afterAll(() => fixture?.running.close());

  const eventOf = (
    projectId: string,
    { customer, vouchers, campaign = null, on = day(1), result = 'SUCCESS' }: Published,
  ) =>
    ({
      type: result === 'SUCCESS' ? 'PublicationSucceeded' : 'PublicationFailed',
      projectId,
      data: {
        publication: {
          ...{ customer_id: customer, campaign_id: campaign, created_at: on },
          vouchers: vouchers.map((id) => ({ id, code: id.toUpperCase() })),
        },
      },
    }) as unknown as StoredEvent;
  const deliver = (...events: StoredEvent[]): Promise<void> =>
    fixture.running.app.get(SummariesProjection, { strict: false }).publications({
      events,
      commit: (work: (manager: EntityManager) => Promise<void>) => database.transaction(work),
    } as unknown as EventBatch);
  const publish = (projectId: string, ...published: Published[]): Promise<void> =>
    deliver(...published.map((one) => eventOf(projectId, one)));
  const stored = (projectId: string) =>
    database.query<{ customer_id: string; object_id: string }[]>(
      `SELECT o.* FROM customer_published_objects o JOIN customer_publications USING (project_id, customer_id, published_at)
       WHERE project_id = $1 ORDER BY customer_id, object_id, published_at`,
      [projectId],
    );
  const members = async (segmentId: string): Promise<string[]> =>
    (
      await database.query<{ id: string }[]>(
        'SELECT customer_id AS id FROM segment_members WHERE segment_id = $1 ORDER BY id',
        [segmentId],
      )
    ).map(({ id }) => id);
  const created = async (segment: object, project: string): Promise<string> => {
    const { status, body } = await fixture.call('POST', '/v1/segments', segment, project);
    expect({ status, body }).toMatchObject({ status: 200 });
    return body.id;
  };
  const kept = (filter: object, project: string) =>
    created({ name: 'Kept', type: 'auto-update', filter }, project);
  const retested = async (project: string): Promise<void> => {
    await fixture.running.app.get(Retests, { strict: false }).run();
    // The rounds of the process may just be testing what they had taken before.
    const left = () =>
      database.query<object[]>('SELECT FROM segment_retests WHERE project_id = $1', [project]);
    await waitUntil(async () => (await left()).length === 0, { what: 'the tests under way' });
  };
  const isBuilt = (segmentId: string) =>
    waitUntil(
      async () =>
        (await database.query('SELECT FROM segment_builds WHERE segment_id = $1', [segmentId])).length === 0,
      { what: 'the end of the build' },
    );
  const told = async (project: string, segmentId: string): Promise<string[]> =>
    (await fixture.running.eventStores.get('customers')!.readStream('segment', project, segmentId)).map(
      ({ type }) => type,
    );

  it('ask of one publication what fields joined by and ask, and of all what is negated', async () => {
    const project = 'proj_meaning';
    const names = ['nobody', 'failed', 'alone', 'spring', 'both'];
    const ids = await Promise.all(names.map((source_id) => fixture.customer({ source_id }, project)));
    const idOf = (name: string) => ids[names.indexOf(name)]!;
    await publish(
      project,
      {
        customer: idOf('failed'),
        vouchers: ['v_no'],
        campaign: 'camp_spring',
        on: day(3),
        result: 'FAILURE',
      },
      { customer: idOf('alone'), vouchers: ['v_alone'], on: day(5) },
      { customer: idOf('spring'), vouchers: ['v_s1', 'v_s2'], campaign: 'camp_spring', on: day(5) },
      { customer: idOf('both'), vouchers: ['v_b1'], campaign: 'camp_spring', on: day(1) },
      { customer: idOf('both'), vouchers: ['v_b2'], campaign: 'camp_autumn', on: day(9) },
    );
    const cases: [filter: Record<string, object>, expected: string[], junction?: 'or'][] = [
      [{ [of]: { $is: ['camp_spring'] } }, ['spring', 'both']],
      [{ [of]: { $in: ['v_s2', 'v_alone'] } }, ['alone', 'spring']],
      [{ [of]: { $starts_with: ['v_b'] } }, ['both']],
      [{ [of]: { $is_not: ['camp_autumn'] } }, ['nobody', 'failed', 'alone', 'spring']],
      [{ [of]: { $not_in: ['camp_autumn', 'v_s1'] } }, ['nobody', 'failed', 'alone']],
      [{ [of]: { $not_contain: ['camp'] } }, ['nobody', 'failed', 'alone']],
      [{ [of]: { $has_value: [] } }, ['alone', 'spring', 'both']],
      [{ [at]: { $is_unknown: [] } }, ['nobody', 'failed']],
      [{ [at]: { $after: [day(5)] } }, ['both']],
      [{ [at]: { $after: [day(2)], $before: [day(8)] } }, ['alone', 'spring']],
      [{ [at]: { $is_not: [day(9)] } }, ['nobody', 'failed', 'alone', 'spring']],
      [{ [at]: { $is_day_of_month: [9] } }, ['both']],
      [{ [at]: { $more_than_ago: [0] } }, ['alone', 'spring', 'both']],
      [{ [at]: { $after: [day(2)] }, [of]: { $is: ['camp_spring'] } }, ['spring']],
      [{ [at]: { $after: [day(8)] }, [of]: { $is: ['camp_spring'] } }, ['spring', 'both'], 'or'],
      [{ [at]: { $before: [day(2)] }, [of]: { $is_not: ['camp_autumn'] } }, []],
      [{ [of]: { $is: ['camp_spring'], $is_not: ['camp_autumn'] } }, ['spring']],
    ];
    // One after another: the last of many at once may wait for its turn in the project longer than a call does.
    for (const [index, [fields, , junction = 'and' as const]] of cases.entries()) {
      const filter = storedFilter({ junction, fields: fields as never });
      await created({ name: String(index), type: 'passive', filter }, project);
    }
    const matched = await Promise.all(
      ids.map(
        async (id): Promise<{ name: string }[]> =>
          (await fixture.call('GET', `/v1/customers/${id}/segments`, undefined, project)).body.data,
      ),
    );
    for (const [index, [filter, expected]] of cases.entries()) {
      const found = names.filter((_, place) => matched[place]!.some(({ name }) => name === String(index)));
      expect({ filter, found }).toEqual({ filter, found: expected });
    }
  });

  it('let customers enter and leave once, however often and in whatever order their publications come', async () => {
    const project = 'proj_follow';
    const [ada, bob] = [await fixture.customer({}, project), await fixture.customer({}, project)];
    const got = await kept(
      { 'publications.related_object_id': { conditions: { $is: ['camp_1'] } } },
      project,
    );
    const never = await kept({ 'publications.created_at': { conditions: { $is_unknown: [] } } }, project);
    await Promise.all([isBuilt(got), isBuilt(never)]);
    const both = async () => [await members(got), await members(never)];
    expect(await both()).toEqual([[], [ada, bob].sort()]);
    const newer = eventOf(project, { customer: ada, vouchers: ['v_2'], campaign: 'camp_1', on: day(5) });
    await deliver(newer);
    await waitUntil(async () => (await both()).join() === [ada, bob].join(), {
      what: 'Ada to enter and leave',
    });
    const older = eventOf(project, { customer: ada, vouchers: ['v_1'], campaign: 'camp_1', on: day(1) });
    await deliver(older, newer, newer);
    await Promise.all([deliver(older), deliver(newer)]);
    await retested(project);
    expect((await stored(project)).map(({ object_id }) => object_id)).toEqual([
      'camp_1',
      'camp_1',
      'v_1',
      'v_2',
    ]);
    expect(await both()).toEqual([[ada], [bob]]);
    expect(await told(project, got)).toEqual(['SegmentCreated', 'SegmentEntered']);
    expect(await told(project, never)).toEqual(['SegmentCreated', 'SegmentMembersAdded', 'SegmentLeft']);
  });

  it('see nothing of another project', async () => {
    const project = 'proj_alone';
    const ada = await fixture.customer({}, project);
    for (const field of [of, at]) {
      const filter = { [field]: { conditions: { $has_value: [] } } };
      await created({ name: field, type: 'passive', filter }, project);
    }
    const segments = async () =>
      (await fixture.call('GET', `/v1/customers/${ada}/segments`, undefined, project)).body.data.length;
    await publish('proj_elsewhere', { customer: ada, vouchers: ['v_1'], campaign: 'camp_1' });
    expect(await stored('proj_elsewhere')).toEqual([]);
    await database.query(`INSERT INTO customer_publications VALUES ('proj_elsewhere', $1, now())`, [ada]);
    await database.query(
      `INSERT INTO customer_published_objects VALUES ('proj_elsewhere', $1, 'camp_1', now())`,
      [ada],
    );
    expect(await segments()).toBe(0);
    await publish(project, { customer: ada, vouchers: ['v_1'] });
    expect(await segments()).toBe(2);
  });

  it('let customers leave for whom is published while the build takes them in', async () => {
    const project = 'proj_published_build';
    const ada = await fixture.customer({}, project);
    const candidates = fixture.running.app.get(Candidates, { strict: false });
    const building = holdFirst(candidates, 'locked', ([, of]) => of === project);
    const id = await kept({ 'publications.created_at': { conditions: { $is_unknown: [] } } }, project);
    await building.isHeld();
    await publish(project, { customer: ada, vouchers: ['v_1'] });
    await retested(project);
    building.open();
    await isBuilt(id);
    await waitUntil(async () => (await members(id)).length === 0, { what: 'Ada to leave' });
    expect(await told(project, id)).toEqual(['SegmentCreated', 'SegmentMembersAdded', 'SegmentLeft']);
  });

  it('forget publications with the permanent deletion of the customer, for good', async () => {
    const project = 'proj_erased';
    const [ada, bob] = [await fixture.customer({}, project), await fixture.customer({}, project)];
    const ofAda = { customer: ada, vouchers: ['v_1'], campaign: 'camp_1' };
    await publish(project, ofAda, { customer: bob, vouchers: ['v_2'] });
    await fixture.call('POST', `/v1/customers/${ada}/permanent-deletion`, {}, project);
    const left = async () => (await stored(project)).map(({ customer_id }) => customer_id);
    await waitUntil(async () => (await left()).join() === bob, { what: 'the publications to go' });
    await publish(project, ofAda);
    expect(await left()).toEqual([bob]);
  });

  it.each<[string, Record<string, object>]>([
    ['a campaign', { [of]: { $is: ['camp_7'] } }],
    ['none of two campaigns', { [of]: { $not_in: ['camp_7', 'camp_8'] } }],
    ['a range of times', { [at]: { $after: ['2026-01-20T00:00:00Z'], $before: ['2026-01-22T00:00:00Z'] } }],
    [
      'a campaign in a range of times',
      { [of]: { $is: ['camp_7'] }, [at]: { $after: ['2026-01-01T00:00:00Z'] } },
    ],
  ])('read by index a row of each customer for %s', async (_, fields) => {
    const projectId = 'proj_plans';
    const customers = 100;
    await database.query(
      `WITH published AS (
         INSERT INTO customer_published_objects
         SELECT $1, 'cust_' || c, 'camp_' || n, '2026-01-01'::timestamptz + n * interval '1 h'
         FROM generate_series(1, ${customers}) c, generate_series(1, 200) n ON CONFLICT DO NOTHING
         RETURNING project_id, customer_id, published_at)
       INSERT INTO customer_publications SELECT * FROM published`,
      [projectId],
    );
    const text: { text: string; values: unknown[] }[] = [];
    const on = { query: async (sql: string, values: unknown[]) => (text.push({ text: sql, values }), []) };
    const filter = storedFilter({ junction: 'and', fields: fields as never });
    const tested = {
      ...{ project: projectOf({ id: projectId }), now: new Date(), typeOf: () => undefined },
      ...{
        placesIn: async () => noPlaces,
        segments: [{ id: 'seg_1', filter } as unknown as SegmentSnapshot],
      },
    };
    const candidates = Array.from({ length: customers }, (_, index) => ({
      id: `cust_${index + 1}`,
      doc: {},
    }));
    await matchingSegments(on as unknown as DataSource, tested, candidates);
    const table = of in fields ? 'customer_published_objects' : 'customer_publications';
    const { rows, scans } = await touchedRows(database, text[0]!, table);
    expect(new Set(scans)).toEqual(new Set([`${table}_pkey`]));
    expect(rows).toBeLessThanOrEqual(customers);
  });
});
