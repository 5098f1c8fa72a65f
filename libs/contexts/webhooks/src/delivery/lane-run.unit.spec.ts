import { waitUntil } from '@scrip/testing';
import { LaneRun, type LaneWork } from './lane-run';
import type { AttemptEnd, ClaimedSendout } from './sendout.table';

const sendout = (id: string, fields: Partial<ClaimedSendout> = {}): ClaimedSendout => ({
  id,
  entityId: id,
  kind: 'voucher.created',
  attempt: 1,
  scheduledAttempt: 1,
  firstAttemptAt: new Date(0),
  body: '{}',
  traceparent: null,
  ...fields,
});

/** A lane over a list of due sendouts, whose attempts end when told. */
const laneOf = (due: ClaimedSendout[], more: Partial<LaneWork<null>> = {}) => {
  const started: string[] = [];
  const recorded: string[] = [];
  const ends = new Map<string, () => void>();
  const work: LaneWork<null> = {
    claim: async (limit) => due.splice(0, limit),
    target: async () => null,
    attempt: ({ id }) =>
      new Promise((resolve) => {
        started.push(id);
        ends.set(id, () => resolve({ sendoutId: id } as AttemptEnd));
      }),
    record: async (batch) => void recorded.push(...batch.map(({ sendoutId }) => sendoutId)),
    shouldStop: () => false,
    ...more,
  };
  const run = new LaneRun(work);
  const done = run.run();
  done.catch(() => undefined);
  const start = (count: number) => waitUntil(() => started.length >= count, { what: `${count} attempts` });
  return { run, done, started, recorded, start, end: (id: string) => ends.get(id)?.() };
};

describe('a run of a lane (reference 06 §5.3)', () => {
  it('has ten requests under way and not one more', async () => {
    const lane = laneOf(Array.from({ length: 12 }, (_, index) => sendout(`s${index}`)));
    await lane.start(10);
    expect(lane.started).toHaveLength(10);
    lane.end('s0');
    await lane.start(11);
    expect(lane.started).toHaveLength(11);
    for (let index = 1; index < 12; index += 1) {
      await lane.start(Math.min(12, index + 10));
      lane.end(`s${index}`);
    }
    await lane.done;
    expect(lane.recorded.sort()).toHaveLength(12);
  });

  it('makes first attempts about one entity one after another, those about others meanwhile', async () => {
    const lane = laneOf([
      sendout('a1', { entityId: 'a' }),
      sendout('a2', { entityId: 'a' }),
      sendout('b1', { entityId: 'b' }),
      sendout('a3', { entityId: 'a', attempt: 2 }),
    ]);
    await lane.start(3);
    expect(lane.started).toEqual(
      ['a1', 'a3', 'b1'].sort((x, y) => lane.started.indexOf(x) - lane.started.indexOf(y)),
    );
    expect(lane.started).not.toContain('a2');
    lane.end('a1');
    await lane.start(4);
    expect(lane.started.at(-1)).toBe('a2');
    ['a2', 'a3', 'b1'].forEach(lane.end);
    await lane.done;
  });

  it('takes what is new when it is woken, while it waits for a slow receiver', async () => {
    const due = [sendout('slow')];
    const lane = laneOf(due);
    await lane.start(1);
    due.push(sendout('new'));
    lane.run.wake();
    await lane.start(2);
    lane.end('slow');
    lane.end('new');
    await lane.done;
    expect(lane.recorded).toEqual(['slow', 'new']);
  });

  it('takes nothing more when it is to stop, and waits for what is under way', async () => {
    let stop = false;
    const due = [sendout('a')];
    const lane = laneOf(due, { shouldStop: () => stop });
    await lane.start(1);
    stop = true;
    due.push(sendout('b'));
    lane.end('a');
    await lane.done;
    expect(lane.recorded).toEqual(['a']);
    expect(due).toHaveLength(1);
  });

  it('fails with the database, but only once nothing is under way', async () => {
    let failing = false;
    const lane = laneOf([sendout('a'), sendout('b')], {
      record: async () => {
        failing = true;
        throw new Error('database away');
      },
    });
    await lane.start(2);
    lane.end('a');
    await waitUntil(() => failing, { what: 'the failure' });
    let settled = false;
    void lane.done.catch(() => (settled = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(settled).toBe(false);
    lane.end('b');
    await expect(lane.done).rejects.toThrow('database away');
  });
});
