import { waitUntil } from '@scrip/testing';
import { bootCustomers, type CustomersOverHttp } from '../customers-http.fixture';
import type { SegmentActivity } from './segment-activity';
import { insertSegmentActivities } from './segment-activity.table';

const filterOn = (city: string) => ({ city: { conditions: { $is: [city] } } });

interface Entry {
  id: string;
  type: string;
  data: { data: { segment: { name: string; filter: object } }; event_source: object };
}

describe('the activities of segments', () => {
  let fixture: CustomersOverHttp;

  beforeAll(async () => {
    fixture = await bootCustomers('segment-activity');
  });
  afterAll(() => fixture?.running.close());

  const create = async (body: object = {}): Promise<string> =>
    (await fixture.call('POST', '/v1/segments', { name: 'Londoners', filter: filterOn('London'), ...body }))
      .body.id;
  const change = (id: string, body: object) => fixture.call('PUT', `/v1/segments/${id}`, body);
  const list = (id: string, query = '', project?: string) =>
    fixture.call('GET', `/v1/segments/${id}/activities${query}`, undefined, project);
  const entries = async (id: string, query = '?limit=100'): Promise<Entry[]> =>
    (await list(id, query)).body.data;
  const told = (id: string, count: number) =>
    waitUntil(async () => (await entries(id)).length >= count, { what: `${count} activities of a segment` });
  const stored = () =>
    fixture.database.query<SegmentActivity[]>('SELECT * FROM segment_activities ORDER BY segment_id, id');

  it('say how it was created and changed, newest first, with what it was then', async () => {
    const id = await create();
    await change(id, { name: 'Parisians' });
    await change(id, { name: 'Parisians' });
    await change(id, { filter: filterOn('Paris') });
    await told(id, 3);
    const { status, body } = await list(id);
    expect([status, { ...body, data: null }]).toEqual([
      200,
      { object: 'list', data_ref: 'data', data: null, has_more: false },
    ]);
    expect(body.data.map(({ type, data }: Entry) => [type, data.data.segment.name])).toEqual([
      ['segment.filters_updated', 'Parisians'],
      ['segment.updated', 'Parisians'],
      ['segment.created', 'Londoners'],
    ]);
    expect(body.data[2]).toEqual({
      id: expect.stringMatching(/^evseg_[0-9a-f]{32}$/),
      type: 'segment.created',
      data: {
        data: { segment: expect.objectContaining({ id, object: 'segment', type: 'passive' }) },
        event_source: expect.objectContaining({ channel: 'API' }),
      },
      created_at: expect.stringMatching(/Z$/),
      group_id: expect.stringMatching(/^v-/),
    });
    expect(body.data[0].data.data.segment.filter).toEqual({ junction: 'and', ...filterOn('Paris') });
  });

  it('are paged in both orders, each once', async () => {
    const id = await create();
    for (const name of ['a', 'b', 'c', 'd']) await change(id, { name });
    await told(id, 5);
    for (const order of ['created_at', '-created_at']) {
      const whole = (await entries(id, `?order=${order}`)).map((entry) => entry.id);
      const paged: string[] = [];
      for (let after = ''; ;) {
        const { body } = await list(id, `?limit=2&order=${order}${after}`);
        paged.push(...body.data.map((entry: Entry) => entry.id));
        if (!body.has_more) break;
        after = `&starting_after_id=${body.more_starting_after}`;
      }
      expect(paged).toEqual(whole);
    }
  });

  it.each([
    [
      'order=name',
      'Property .order should be equal to one of the allowed values [ created_at, -created_at ]',
    ],
    ['limit=101', 'Property .limit must be <= 100'],
    ['starting_after_id=evseg_0', 'Property .starting_after_id names no event of the list: evseg_0'],
  ])('refuse %s', async (query, details) => {
    const id = await create();
    expect(await list(id, `?${query}`)).toMatchObject({
      ...{ status: 400, body: { key: 'invalid_query_params', details } },
    });
  });

  it('go with the segment, and are of its project alone', async () => {
    const id = await create();
    await told(id, 1);
    const notFound = {
      status: 404,
      body: { key: 'not_found', details: `Cannot find segment with id ${id}` },
    };
    expect(await list(id, '', 'proj_2')).toMatchObject(notFound);
    await fixture.call('DELETE', `/v1/segments/${id}`);
    expect(await list(id)).toMatchObject(notFound);
    await waitUntil(async () => !(await stored()).some(({ segment_id }) => segment_id === id), {
      what: 'the activities to go',
    });
  });

  it('are one to a change of fifty at once, told twice or built anew', async () => {
    const id = await create();
    const names = Array.from({ length: 50 }, (_, index) => `Name ${index}`);
    const answers = await Promise.all(names.map((name) => change(id, { name })));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    await told(id, 51);
    const found = await entries(id, '?limit=100&order=created_at');
    expect(found.map(({ type }) => type)).toEqual(['segment.created', ...names.map(() => 'segment.updated')]);
    expect(
      found
        .slice(1)
        .map(({ data }) => data.data.segment.name)
        .sort(),
    ).toEqual([...names].sort());
    const before = await stored();
    await insertSegmentActivities(fixture.database.manager, before);
    expect(await stored()).toEqual(before);
    expect(await fixture.running.consumers.rebuild('customers.segment-activity')).not.toHaveProperty(
      'refused',
    );
    expect(await stored()).toEqual(before);
  });
});
