import { newRequestId, noDeadline } from '@scrip/kernel';
import { untilTheHourLasts } from '@scrip/testing';
import { type AuthFixture, bootAuth, knownKeys, serverKeys } from '../auth.fixture';

describe('calls of a cycle', () => {
  let fixture: AuthFixture;

  beforeAll(async () => {
    fixture = await bootAuth(undefined, undefined, { SCRIP_API_CALLS_PER_CYCLE: '3' });
    await fixture.bootstrap.run(knownKeys);
  });
  afterAll(() => fixture?.running.close());

  const count = async (cycle: string, calls: Record<string, number>) => {
    const context = { requestId: newRequestId(), deadlineAt: noDeadline, traceparent: null };
    const added = Object.entries(calls).map(([project_id, of]) => ({ project_id, calls: of }));
    const told = await fixture.auth.countCalls(context, { cycle, calls: added });
    return Object.fromEntries(told.calls.map(({ project_id, calls: total }) => [project_id, total]));
  };

  it('add up for each project', async () => {
    expect(await count('2026-06', { proj_a: 3, proj_b: 5 })).toEqual({ proj_a: 3, proj_b: 5 });
    expect(await count('2026-06', { proj_b: 1 })).toEqual({ proj_b: 6 });
  });

  it('add up where 50 processes tell theirs at once', async () => {
    const told = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        count('2026-06', index % 2 ? { proj_c: 1, proj_d: 2 } : { proj_d: 2, proj_c: 1 }),
      ),
    );
    expect(Math.max(...told.map(({ proj_c = 0 }) => proj_c))).toBe(50);
    expect(await count('2026-06', { proj_c: 0, proj_d: 0 })).toEqual({ proj_c: 50, proj_d: 100 });
  });

  it('begin anew with the next cycle, and those of a cycle that is over are dropped', async () => {
    await count('2026-06', { proj_e: 7 });
    expect(await count('2026-07', { proj_e: 2 })).toEqual({ proj_e: 2 });
    expect(await count('2026-06', { proj_e: 1 })).toEqual({});
    expect(await count('2026-07', { proj_e: 1 })).toEqual({ proj_e: 3 });
  });

  it('of a project end at the limit, and are stored at the end of the process', async () => {
    const call = () =>
      fetch(`${fixture.running.url}/v1/metadata-schemas`, { headers: serverKeys }).then(
        ({ status }) => status,
      );
    await untilTheHourLasts(10_000);
    expect([await call(), await call(), await call(), await call()]).toEqual([200, 200, 200, 429]);
    const cycle = new Date().toISOString().slice(0, 7);
    await fixture.running.close();
    fixture = await bootAuth(fixture.databaseUrl, undefined, { SCRIP_API_CALLS_PER_CYCLE: '3' });
    expect(await count(cycle, { proj_demo: 0 })).toEqual({ proj_demo: 3 });
  });
});
