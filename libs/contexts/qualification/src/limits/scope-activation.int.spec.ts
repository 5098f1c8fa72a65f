import { isRefused } from '@scrip/kernel';
import { waitUntil } from '@scrip/testing';
import type { QualificationFixture } from '../qualification.fixture';
import { call } from '../redeemables.fixture';
import {
  activate,
  counted,
  countedOfEach,
  heldAtCommit,
  idOf,
  keysOf,
  redeem,
  rollBack,
} from './limited-calls.fixture';
import { type LimitsFixture, drift, startLimits } from './limits.fixture';
import { ScopeActivation } from './scope-activation';

let fixture: LimitsFixture;
let one: QualificationFixture;
let other: QualificationFixture;

beforeAll(async () => {
  fixture = await startLimits('scope_activation');
  ({ one, other } = fixture);
});

afterAll(() => fixture.stop());

afterEach(async () => {
  await fixture.settled();
  expect(await drift(one)).toEqual([]);
});

describe('the activation of a scope', () => {
  it('starts from the redemptions that exist, without those rolled back', async () => {
    const { object, codes } = fixture.campaign('old', 2);
    const answers = await fixture.inBoth(6, (process, index) =>
      redeem(process, codes[index % 2]!, `old-${index % 3}`),
    );
    await fixture.settled();
    await rollBack(one, idOf(answers[0]!));
    await Promise.all([activate(one, object, 'all'), activate(other, object, 'customer')]);
    expect(await counted(one, object)).toBe(5);
    expect(await countedOfEach(one, object)).toEqual([1, 2, 2]);
    await fixture.limit('old', 6, 'campaign.redemptions.count');
    const later = await fixture.inBoth(4, (process) => redeem(process, codes[0]!));
    expect(keysOf(later)).toHaveLength(3);
  });

  it('racing redemptions and rollbacks counts each once, for an object after another', async () => {
    const scopes = Array.from({ length: 8 }, (_, index) => fixture.campaign(`racing-${index}`));
    let running = true;
    const work = fixture.inBoth(6, async (process, caller) => {
      for (let round = 0; running; round += 1) {
        const { codes } = scopes[(round + caller) % scopes.length]!;
        const redeemed = await redeem(process, codes[0]!, `racing-${caller}`);
        if (round % 3 === 0 && !isRefused(redeemed))
          await rollBack(process, idOf(redeemed)).catch(() => null);
      }
    });
    for (const [index, { object }] of scopes.entries()) {
      await activate(index % 3 ? one : other, object, index % 2 ? 'customer' : 'all');
    }
    running = false;
    await work;
  });

  const scopeOf = async (object: string) =>
    (
      await one.dataSource.query<{ attempt: number; state: string; lease_until: Date | null }[]>(
        'SELECT attempt, state, lease_until FROM limit_scopes WHERE object = $1',
        [object],
      )
    )[0];

  /** Until `restore`, turns are renewed ten times a second. They last as long as ever: none ends because the machine is slow. */
  const quickRenewals = (): { restore: () => void } => {
    const { leaseMs } = one.get(ScopeActivation) as unknown as { leaseMs: number };
    const every = setInterval;
    const timers = jest
      .spyOn(globalThis, 'setInterval')
      .mockImplementation(((work: () => void, ms: number) =>
        every(work, ms === leaseMs / 3 ? 100 : ms)) as typeof setInterval);
    return { restore: () => timers.mockRestore() };
  };

  const untilRenewed = async (object: string): Promise<void> => {
    const taken = await waitUntil(async () => (await scopeOf(object))?.lease_until, { what: 'the turn' });
    await waitUntil(async () => ((await scopeOf(object))?.lease_until?.getTime() ?? 0) > taken.getTime(), {
      what: 'the lease to be renewed',
    });
  };

  it('waits for a recording that began before, and makes no other wait', async () => {
    const { object, codes } = fixture.campaign('waits');
    const recording = await heldAtCommit(one, codes[0]!, 'waits');
    const renewals = quickRenewals();
    let done = false;
    const active = activate(other, object, 'all').then(() => (done = true));
    expect(isRefused(await redeem(other, codes[0]!))).toBe(false);
    await untilRenewed(object);
    expect(done).toBe(false);
    await Promise.all([recording.release(), active]);
    renewals.restore();
    expect(await counted(one, object)).toBe(2);
  });

  it('goes on where another execution stopped, and ends what that one may still write', async () => {
    const { object, codes } = fixture.campaign('resumed');
    await fixture.inBoth(4, (process) => redeem(process, codes[0]!));
    await one.dataSource.query(
      `INSERT INTO limit_scopes (project_id, object, counted_by, state, attempt, lease_until)
       VALUES ('proj_1', $1, 'all', 'COUNTING', 7, now() - interval '1 second')`,
      [object],
    );
    await redeem(one, codes[0]!);
    await Promise.all([activate(one, object, 'all'), activate(other, object, 'all')]);
    expect(await counted(one, object)).toBe(5);
    const [scope] = await one.dataSource.query<object[]>(
      'SELECT state, attempt FROM limit_scopes WHERE object = $1',
      [object],
    );
    expect(scope).toEqual({ state: 'ACTIVE', attempt: 8 });
  });

  it('keeps its turn for as long as it counts, so that no other begins anew', async () => {
    const { object, codes } = fixture.campaign('long');
    const recording = await heldAtCommit(one, codes[0]!, 'long');
    const renewals = quickRenewals();
    const active = Promise.all([activate(one, object, 'all'), activate(other, object, 'all')]);
    await untilRenewed(object);
    await Promise.all([recording.release(), active]);
    renewals.restore();
    expect(await scopeOf(object)).toMatchObject({ attempt: 1, state: 'ACTIVE' });
    expect(await counted(one, object)).toBe(1);
  });

  it('lets an execution write nothing any more whose turn another one has taken', async () => {
    const { object } = fixture.campaign('fenced');
    await one.dataSource.query(
      `INSERT INTO limit_scopes (project_id, object, counted_by, state, attempt, lease_until)
       VALUES ('proj_1', $1, 'all', 'COUNTING', 9, now())`,
      [object],
    );
    const work = jest.fn();
    const fence = one.get(ScopeActivation) as unknown as {
      whileMine: (project: string, turns: object[], work: () => unknown) => Promise<unknown>;
    };
    const turn = (attempt: number) => ({ object, counted_by: 'all', attempt });
    await expect(fence.whileMine('proj_1', [turn(8)], work)).rejects.toThrow();
    expect(work).not.toHaveBeenCalled();
    await fence.whileMine('proj_1', [turn(9)], work);
    expect(work).toHaveBeenCalled();
    await one.dataSource.query('DELETE FROM limit_scopes WHERE object = $1', [object]);
  });

  it('counts nothing for an object that is new', async () => {
    const { object } = fixture.campaign('new');
    await one.get(ScopeActivation).activate(call(), [{ object, counted_by: 'all', isNew: true }]);
    const scopes = await one.dataSource.query<object[]>(
      'SELECT state, attempt FROM limit_scopes WHERE object = $1',
      [object],
    );
    expect(scopes).toEqual([{ state: 'ACTIVE', attempt: 0 }]);
  });
});

it('folds to what is stored', async () => {
  expect(await one.events.verifyState()).toEqual([]);
});
