import type { BusinessClock } from '@scrip/kernel';
import { BUSINESS_CLOCK } from '@scrip/service';
import { bootCustomers, type CustomersOverHttp } from '../customers-http.fixture';

const filter = { city: { conditions: { $is: 'London' } } };

describe('segments that are asked for', () => {
  let fixture: CustomersOverHttp;

  beforeAll(async () => {
    fixture = await bootCustomers('segment_reads');
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => fixture?.running.close());

  const create = (body: unknown, project: string) => fixture.call('POST', '/v1/segments', body, project);

  it('are listed newest first, and found by id, name, type and time', async () => {
    const project = 'proj_list';
    const bodies = [
      { name: 'One', customers: [] },
      { name: 'Two', filter },
      { name: 'Three', type: 'auto-update', filter },
    ];
    const ids: string[] = [];
    for (const body of bodies) {
      ids.push((await create(body, project)).body.id);
      await fixture.database.query(`UPDATE segments SET created_at = $2 WHERE id = $1`, [
        ids.at(-1),
        `2026-03-0${ids.length}T00:00:00Z`,
      ]);
    }
    const listed = async (query: string) => {
      const { body } = await fixture.call('GET', `/v1/segments${query}`, undefined, project);
      return [body.total, ...body.data.map(({ name }: { name: string }) => name)];
    };
    expect(await listed('')).toEqual([3, 'Three', 'Two', 'One']);
    expect(await listed('?order=created_at&limit=2')).toEqual([3, 'One', 'Two']);
    expect(await listed(`?ids[]=${ids[0]}&ids[]=${ids[2]}&ids[]=seg_none`)).toEqual([2, 'Three', 'One']);
    expect(await listed(`?filters[id][conditions][$in]=${ids[1]}`)).toEqual([1, 'Two']);
    expect(await listed('?filters[name][conditions][$starts_with]=T')).toEqual([2, 'Three', 'Two']);
    expect(await listed('?filters[type][conditions][$is]=auto-update')).toEqual([1, 'Three']);
    expect(await listed('?filters[created_at][conditions][$before]=2026-03-03')).toEqual([2, 'Two', 'One']);
    expect(await fixture.call('GET', '/v1/segments', undefined, 'proj_none')).toMatchObject({
      body: { object: 'list', data_ref: 'data', data: [], total: 0 },
    });
  });

  it('are listed by how long ago they were created', async () => {
    const project = 'proj_ago';
    jest
      .spyOn(fixture.running.app.get<BusinessClock>(BUSINESS_CLOCK, { strict: false }), 'now')
      .mockReturnValue(new Date('2099-03-31T10:00:00Z'));
    await create({ name: 'New', filter }, project);
    const listed = async (condition: string) =>
      (
        await fixture.call(
          'GET',
          `/v1/segments?filters[created_at][conditions]${condition}`,
          undefined,
          project,
        )
      ).body.total;
    expect(await listed('[$less_than]=1')).toBe(1);
    expect(await listed('[$more_than]=0')).toBe(0);
  });

  it('with a filter have the customers that match it when they are asked for', async () => {
    const project = 'proj_dynamic';
    const call = (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) =>
      fixture.call(method, path, body, project);
    const namesOf = async (customer: string): Promise<string[]> =>
      (await call('GET', `/v1/customers/${customer}/segments`)).body.data.map(
        ({ name }: { name: string }) => name,
      );
    // April has begun in Warsaw, and not yet in UTC.
    jest
      .spyOn(fixture.running.app.get<BusinessClock>(BUSINESS_CLOCK, { strict: false }), 'now')
      .mockReturnValue(new Date('2099-03-31T22:30:00Z'));
    const eve = await fixture.customer(
      {
        source_id: 'eve',
        email: 'eve@example.com',
        birthdate: '1990-04-30',
        address: { city: 'London' },
        metadata: { tier: 'gold', points: 7, tags: ['x', 'y'], nested: { deep: 1 } },
      },
      project,
    );
    const filters: Record<string, unknown> = {
      mail: { email: { conditions: { $ends_with: '@example.com' } } },
      city: { city: { conditions: { $is: 'London' } }, 'address.city': { conditions: { $is: ['London'] } } },
      leeds: { city: { conditions: { $is: 'Leeds' } } },
      gold: { 'metadata.tier': { conditions: { $in: ['gold', 'silver'] } } },
      rich: { 'metadata.points': { conditions: { $more_than: 6 } } },
      tags: { 'metadata.tags': { conditions: { $count: 2 } } },
      deep: { 'metadata.nested.deep': { conditions: { $is: 1 } } },
      born: { birthdate: { conditions: { $this_month_md: true } } },
      new: { created_at: { conditions: { $today: true } } },
      poor: { 'summary.orders.total_amount': { conditions: { $less_than: 1 } } },
      nameless: { name: { conditions: { $is_unknown: true } } },
      either: {
        junction: 'or',
        city: { conditions: { $is: 'Leeds' } },
        source_id: { conditions: { $is: 'eve' } },
      },
      none: { 'events.visit.count': { conditions: { $more_than: 0 } } },
    };
    for (const [name, filter] of Object.entries(filters))
      expect(await create({ name, filter }, project)).toMatchObject({ status: 200 });
    const matching = [
      'mail',
      'city',
      'gold',
      'rich',
      'tags',
      'deep',
      'born',
      'new',
      'poor',
      'nameless',
      'either',
    ];
    expect((await namesOf(eve)).sort()).toEqual(matching.sort());
    await call('PUT', `/v1/customers/${eve}`, { address: { city: 'Leeds' }, metadata: { tier: 'none' } });
    expect(await namesOf('eve')).toEqual(expect.arrayContaining(['leeds', 'either']));
    expect(await namesOf('eve')).not.toEqual(expect.arrayContaining(['city']));
    // Unknown: nothing but the source id.
    expect((await namesOf('nobody')).sort()).toEqual(['nameless']);
  });
});
