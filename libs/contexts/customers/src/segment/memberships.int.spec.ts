import type { StoredEvent } from '@scrip/event-store';
import { internalContext } from '@scrip/kernel';
import { holdFirst, projectOf, waitUntil } from '@scrip/testing';
import { type AuthPort, authPort } from '@scrip/contracts/auth';
import { servedPortToken } from '@scrip/rpc';
import type { RunningJob } from '@scrip/service';
import { InternalContexts } from '@scrip/tasks';
import { EventEmitter, once } from 'node:events';
import { bootCustomers, type CustomersOverHttp } from '../customers-http.fixture';
import { storeCountedOrders } from '../summary/order-summary.table';
import { Candidates } from './candidates';
import { MembershipConsumer } from './membership.consumer';
import { segmentJobs } from './membership.jobs';
import { Memberships } from './memberships';
import { Retests } from './retests';

const londoners = { city: { conditions: { $is: ['London'] } } };

describe('members of an auto-update segment', () => {
  let fixture: CustomersOverHttp;

  beforeAll(async () => {
    fixture = await bootCustomers('memberships');
  });
  afterAll(() => fixture?.running.close());

  const members = async (segmentId: string): Promise<string[]> =>
    (
      await fixture.database.query<{ id: string }[]>(
        'SELECT customer_id AS id FROM segment_members WHERE segment_id = $1 ORDER BY id',
        [segmentId],
      )
    ).map(({ id }) => id);
  const events = async (project: string, segmentId: string): Promise<string[]> => {
    const stored: StoredEvent[] = await fixture.running.eventStores
      .get('customers')!
      .readStream('segment', project, segmentId);
    return stored.map(({ type }) => type);
  };
  const createSegment = async (project: string, filter: unknown): Promise<string> => {
    const body = { name: 'Kept', type: 'auto-update', filter };
    const created = await fixture.call('POST', '/v1/segments', body, project);
    expect(created.status).toBe(200);
    return created.body.id;
  };
  const isBuilt = (segmentId: string) =>
    waitUntil(
      async () =>
        (await fixture.database.query('SELECT FROM segment_builds WHERE segment_id = $1', [segmentId]))
          .length === 0,
      { what: 'the end of the build' },
    );
  const liveIn = (project: string, city: string) => fixture.customer({ address: { city } }, project);
  const move = (project: string, id: string, city: string) =>
    fixture.call('PUT', `/v1/customers/${id}`, { address: { city } }, project);

  it('are there from the beginning in silence, enter and leave as they change, each once', async () => {
    const project = 'proj_moves';
    const [ada, bob] = [await liveIn(project, 'London'), await liveIn(project, 'Leeds')];
    const id = await createSegment(project, londoners);
    await isBuilt(id);
    expect(await members(id)).toEqual([ada]);
    await move(project, bob, 'London');
    await waitUntil(async () => (await members(id)).length === 2, { what: 'Bob to enter' });
    await move(project, ada, 'Leeds');
    await waitUntil(async () => (await members(id)).length === 1, { what: 'Ada to leave' });
    const carl = await liveIn(project, 'London');
    await waitUntil(async () => (await members(id)).length === 2, { what: 'Carl to enter' });
    expect(await members(id)).toEqual([bob, carl].sort());
    expect(await events(project, id)).toEqual([
      'SegmentCreated',
      'SegmentMembersAdded',
      'SegmentEntered',
      'SegmentLeft',
      'SegmentEntered',
    ]);
  });

  it('are those that match in the end, when builds, changes and reviews run beside each other', async () => {
    const project = 'proj_beside';
    const context = internalContext(projectOf({ id: project, timezone: 'Europe/Warsaw' }));
    const ids = await Promise.all(
      Array.from({ length: 30 }, (_, index) => liveIn(project, index % 2 ? 'London' : 'Leeds')),
    );
    const id = await createSegment(project, londoners);
    const memberships = fixture.running.app.get(Memberships, { strict: false });
    const [segment] = await memberships.kept(project);
    await Promise.all([
      ...ids.map((customer, index) => move(project, customer, index % 3 ? 'London' : 'Leeds')),
      ...Array.from({ length: 5 }, () => memberships.build(context, id)),
      ...Array.from({ length: 5 }, () => memberships.testNext(context, segment!, '')),
    ]);
    await isBuilt(id);
    const matching = ids.filter((_, index) => index % 3).sort();
    await waitUntil(async () => (await members(id)).join() === matching.join(), { what: 'the members' });
    // No customer entered twice, or left without having been there.
    const inside = new Set<string>();
    for (const { type, data } of await fixture.running.eventStores
      .get('customers')!
      .readStream('segment', project, id)) {
      const { customer_id, customer_ids = [] } = data as { customer_id: string; customer_ids?: string[] };
      if (type === 'SegmentMembersAdded') customer_ids.forEach((one) => inside.add(one));
      if (type === 'SegmentEntered') {
        expect(inside.has(customer_id)).toBe(false);
        inside.add(customer_id);
      }
      if (type === 'SegmentLeft') expect(inside.delete(customer_id)).toBe(true);
    }
    expect([...inside].sort()).toEqual(matching);
  });

  it('are tested again behind the build, where the meaning of the filter changes meanwhile', async () => {
    const project = 'proj_retest';
    const ada = await liveIn(project, 'London');
    const memberships = fixture.running.app.get(Memberships, { strict: false });
    const steps: string[] = [];
    const gate = new EventEmitter();
    const build = jest.spyOn(memberships, 'build').mockImplementation(async (...args) => {
      steps.push('build');
      await once(gate, 'open');
      build.mockRestore();
      const more = await memberships.build(...args);
      steps.push('built');
      return more;
    });
    const test = jest.spyOn(memberships, 'testNext').mockImplementation(async () => {
      steps.push('retest');
      return null;
    });
    const id = await createSegment(project, londoners);
    await waitUntil(async () => steps.length === 1, { what: 'the build to begin' });
    const { payload } = segmentJobs.retestEntry({ project_id: project, id });
    const jobs = fixture.running.app.get(segmentJobs.jobs, { strict: false });
    await jobs.retest(payload, { abortSignal: new AbortController().signal } as RunningJob);
    gate.emit('open');
    await waitUntil(async () => steps.includes('retest'), { what: 'the retest' });
    test.mockRestore();
    expect(steps).toEqual(['build', 'built', 'retest']);
    expect(await members(id)).toEqual([ada]);
  });

  const orderOf = (project: string, customer: string, version: number, amount: number | null) =>
    storeCountedOrders(fixture.database.manager, [
      {
        ...{ project_id: project, order_id: `ord_${customer}`, version, customer_id: customer, amount },
        ordered_at: '2026-03-31T10:00:00.000Z',
      },
    ]);
  const buyers = { 'summary.orders.total_count': { conditions: { $more_than: [0] } } };
  const retested = async (project: string): Promise<void> => {
    await fixture.running.app.get(Retests, { strict: false }).run();
    // The rounds of the process may just be testing what they had taken before.
    const left = () =>
      fixture.database.query<object[]>('SELECT FROM segment_retests WHERE project_id = $1', [project]);
    await waitUntil(async () => (await left()).length === 0, { what: 'the tests under way' });
  };

  it('leave where their sums change while they enter, though who tests that does not see them yet', async () => {
    const project = 'proj_sums_enter';
    const ada = await liveIn(project, 'London');
    const id = await createSegment(project, buyers);
    await isBuilt(id);
    const candidates = fixture.running.app.get(Candidates, { strict: false });
    const entering = holdFirst(candidates, 'named', ([, of, , { lock }]) => of === project && lock);
    await orderOf(project, ada, 1, 100);
    await entering.isHeld();
    await orderOf(project, ada, 2, null);
    await retested(project);
    entering.open();
    await waitUntil(async () => (await events(project, id)).length === 3, { what: 'both events' });
    expect(await events(project, id)).toEqual(['SegmentCreated', 'SegmentEntered', 'SegmentLeft']);
    expect(await members(id)).toEqual([]);
  });

  it('leave where their sums change while the build takes them in', async () => {
    const project = 'proj_sums_build';
    const ada = await liveIn(project, 'London');
    await orderOf(project, ada, 1, 100);
    const candidates = fixture.running.app.get(Candidates, { strict: false });
    const building = holdFirst(candidates, 'locked', ([, of]) => of === project);
    const id = await createSegment(project, buyers);
    await building.isHeld();
    await orderOf(project, ada, 2, null);
    await retested(project);
    building.open();
    await isBuilt(id);
    await waitUntil(async () => (await members(id)).length === 0, { what: 'Ada to leave' });
    expect(await events(project, id)).toEqual(['SegmentCreated', 'SegmentMembersAdded', 'SegmentLeft']);
  });

  it('are never again what an earlier schema of metadata makes of them', async () => {
    const project = 'proj_types';
    const since = '2026-03-31T10:00:00Z';
    const ada = await fixture.customer({ metadata: { since } }, project);
    const id = await createSegment(project, {
      'metadata.since': { conditions: { $is: ['2026-03-31T10:00:00.000Z'] } },
    });
    await isBuilt(id);
    expect(await members(id)).toEqual([]);
    const memberships = fixture.running.app.get(Memberships, { strict: false });
    const contexts = fixture.running.app.get(InternalContexts, { strict: false });
    const early = holdFirst(contexts, 'of', ([of]) => of === project);
    await move(project, ada, 'Leeds');
    await early.isHeld();
    const auth = fixture.running.app.get<AuthPort>(servedPortToken(authPort), { strict: false });
    const loads = jest.spyOn(auth, 'loadProject').mockImplementation(async (_, { project_id }) => ({
      ...projectOf({ id: project_id, timezone: 'Europe/Warsaw' }),
      schemaChanges: 1,
    }));
    const schemas = jest.spyOn(auth, 'loadMetadataSchemas').mockResolvedValue({
      schemas: [
        {
          related_object: 'customer',
          allow_defined_only: false,
          properties: { since: { type: 'datetime', array: false, optional: true, deleted: false } },
        },
      ],
    } as never);
    const { payload } = segmentJobs.retestEntry({ project_id: project, id });
    const jobs = fixture.running.app.get(segmentJobs.jobs, { strict: false });
    await jobs.retest(payload, { abortSignal: new AbortController().signal } as RunningJob);
    expect(await members(id)).toEqual([ada]);
    early.open();
    const tested = jest.spyOn(memberships, 'test');
    await move(project, ada, 'London');
    await waitUntil(() => Promise.resolve(tested.mock.calls.length > 1), { what: 'both tests' });
    await Promise.all(tested.mock.results.map(({ value }) => value as Promise<void>));
    expect(await events(project, id)).toEqual(['SegmentCreated', 'SegmentEntered']);
    for (const spy of [loads, schemas, tested]) spy.mockRestore();
  });

  it('are found again where the days of the project begin at another time', async () => {
    const project = 'proj_zones';
    const auth = fixture.running.app.get<AuthPort>(servedPortToken(authPort), { strict: false });
    const zone = (timezone: string) =>
      jest
        .spyOn(auth, 'loadProject')
        .mockImplementation(async (_, { project_id }) => projectOf({ id: project_id, timezone }));
    zone('Pacific/Kiritimati');
    const ada = await liveIn(project, 'London');
    await fixture.database.query(
      `UPDATE customers SET state = jsonb_set(state, '{created_at}', '"2026-03-31T11:00:00.000Z"') WHERE id = $1`,
      [ada],
    );
    const id = await createSegment(project, { created_at: { conditions: { $is_month: [4] } } });
    await isBuilt(id);
    expect(await members(id)).toEqual([ada]);
    const loads = zone('Europe/Warsaw');
    await fixture.running.app.get(MembershipConsumer, { strict: false }).zones({
      events: [{ type: 'ProjectUpdated', projectId: project }],
      commit: (effect: (manager: unknown) => Promise<void>) => fixture.database.transaction(effect),
    } as never);
    await waitUntil(async () => (await members(id)).length === 0, { what: 'Ada to leave' });
    loads.mockRestore();
  });

  it('are not looked for any further once the segment is deleted', async () => {
    const project = 'proj_deleted';
    const context = internalContext(projectOf({ id: project, timezone: 'Europe/Warsaw' }));
    const id = await createSegment(project, londoners);
    await isBuilt(id);
    await fixture.call('DELETE', `/v1/segments/${id}`, undefined, project);
    // As a deletion during the build leaves it.
    await fixture.database.query(`INSERT INTO segment_builds VALUES ($1, $2, '')`, [project, id]);
    expect(await fixture.running.app.get(Memberships, { strict: false }).build(context, id)).toBe(false);
    await isBuilt(id);
  });

  it('are found again as days go by', async () => {
    const project = 'proj_days';
    const ada = await liveIn(project, 'London');
    // Two days, so that a midnight during the test changes nothing.
    const id = await createSegment(project, { created_at: { conditions: { $less_than_ago: [2] } } });
    await isBuilt(id);
    expect(await members(id)).toEqual([ada]);
    const planned = () =>
      fixture.database.query<{ run_at: Date }[]>(
        'SELECT run_at FROM customers_jobs._private_jobs WHERE key = $1 AND run_at > now()',
        [`review ${project} ${id}`],
      );
    await waitUntil(async () => (await planned()).length === 1, { what: 'the plan of a review' });
    // As if it had been created long ago: the row says so, without an event.
    await fixture.database.query(
      `UPDATE customers SET state = jsonb_set(state, '{created_at}', '"2020-01-01T00:00:00.000Z"') WHERE id = $1`,
      [ada],
    );
    const job = {
      id: '1',
      attempt: 1,
      maxAttempts: 25,
      lastError: null,
      abortSignal: new AbortController().signal,
    };
    const jobs = fixture.running.app.get(segmentJobs.jobs, { strict: false });
    await jobs.review({ project_id: project, segment_id: id }, job);
    expect(await members(id)).toEqual([]);
    expect(await events(project, id)).toEqual(['SegmentCreated', 'SegmentMembersAdded', 'SegmentLeft']);
  });
});
