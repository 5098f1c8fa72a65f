import { CallCycle, type CycleTotals } from './call-cycle';

/** Totals of an installation, as auth keeps them. */
const sharedTotals = () => {
  const stored = new Map<string, number>();
  const add: CycleTotals = async ({ cycle, calls }) =>
    calls.map(({ project_id, calls: added }) => {
      const total = (stored.get(`${cycle} ${project_id}`) ?? 0) + added;
      stored.set(`${cycle} ${project_id}`, total);
      return { project_id, calls: total };
    });
  return { stored, add };
};

const june = (time: string) => () => new Date(`2026-06-${time}Z`);

const admittedOf = (cycle: CallCycle, calls: number, project = 'proj_1') =>
  Array.from({ length: calls }, () => cycle.take(project)).filter(({ admitted }) => admitted).length;

describe('calls of a cycle', () => {
  it('end at the limit, which is waited for until the next month', () => {
    const cycle = new CallCycle(2, sharedTotals().add, june('30T23:59:50.000'));
    const ofCycle = { type: 'api_calls_cycle', limit: 2 };
    expect(cycle.take('proj_1')).toEqual({ ...ofCycle, remaining: 1, waitMs: 0, admitted: true });
    expect(cycle.take('proj_1')).toEqual({ ...ofCycle, remaining: 0, waitMs: 10_000, admitted: true });
    expect(cycle.take('proj_1')).toEqual({ ...ofCycle, remaining: 0, waitMs: 10_000, admitted: false });
  });

  it('are those of one project', () => {
    const cycle = new CallCycle(2, sharedTotals().add, june('01T00:00'));
    expect([admittedOf(cycle, 3), admittedOf(cycle, 3, 'proj_2')]).toEqual([2, 2]);
  });

  it('are counted over all processes once these have told theirs', async () => {
    const { add, stored } = sharedTotals();
    const [one, other] = [new CallCycle(10, add, june('05T10:00')), new CallCycle(10, add, june('05T10:00'))];
    expect([admittedOf(one, 4), admittedOf(other, 5)]).toEqual([4, 5]);
    await one.settle();
    await other.settle();
    expect([...stored]).toEqual([['2026-06 proj_1', 9]]);
    expect(admittedOf(other, 5)).toBe(1);
    await other.settle();
    admittedOf(one, 1);
    await one.settle();
    expect(admittedOf(one, 5)).toBe(0);
  });

  it('outlive the process', async () => {
    const { add } = sharedTotals();
    const ended = new CallCycle(3, add, june('05T10:00'));
    admittedOf(ended, 3);
    await ended.settle();
    const next = new CallCycle(3, add, june('05T10:00'));
    admittedOf(next, 1);
    await next.settle();
    expect(admittedOf(next, 5)).toBe(0);
  });

  it('that could not be told are told the next time, with those counted meanwhile', async () => {
    const { add, stored } = sharedTotals();
    let isDown = true;
    const cycle: CallCycle = new CallCycle(
      10,
      async (added) => {
        if (!isDown) return add(added);
        cycle.take('proj_1');
        throw new Error('auth is down');
      },
      june('05T10:00'),
    );
    admittedOf(cycle, 3);
    await expect(cycle.settle()).rejects.toThrow('auth is down');
    isDown = false;
    await cycle.settle();
    await cycle.settle();
    expect([...stored]).toEqual([['2026-06 proj_1', 4]]);
  });

  it('begin anew with the month, and those of the last one are told all the same', async () => {
    const { add, stored } = sharedTotals();
    let now = new Date('2026-06-30T23:59:59.999Z');
    const cycle = new CallCycle(2, add, () => now);
    expect(admittedOf(cycle, 3)).toBe(2);
    now = new Date('2026-07-01T00:00:00.000Z');
    expect(admittedOf(cycle, 3)).toBe(2);
    await cycle.settle();
    expect([...stored]).toEqual([
      ['2026-06 proj_1', 2],
      ['2026-07 proj_1', 2],
    ]);
  });
});
