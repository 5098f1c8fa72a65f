import { isRefused } from '@scrip/kernel';
import { StaleRow, UniqueViolation } from '../index';
import { type Process, Processes, bothWays, issue, nobody, project, take } from '../test-bed/tickets.fixture';

describe.each(bothWays)('writes that go %s', (_way, limits) => {
  let processes: Processes;
  let one: Process;
  let other: Process;

  beforeAll(async () => {
    processes = await Processes.start('failure_isolation');
    one = await processes.process({ limits });
    other = await processes.process({ limits });
  });

  afterAll(() => processes.stop());

  const takersOf = async (streamId: string): Promise<string[]> => {
    const events = await one.store.readStream('ticket', project.id, streamId);
    return events.slice(1).map(({ data }) => (data as { by: string }).by);
  };

  const callers = Array.from({ length: 64 }, (_, index) => ({
    by: `caller_${index}`,
    poisoned: index % 10 === 9,
  }));
  const row = (source_id: string) => ({ insert: 'takings', values: { source_id, state: 'OPEN' } });

  describe('64 callers on one stream with every tenth poisoned', () => {
    it.each([
      ['NUL in a row', 'nul', (by: string) => ({ by, source: `nul:${by}\0` })],
      ['NUL in an event', 'told', (by: string) => ({ by: `${by}\0`, source: `told:${by}` })],
      ['a duplicate source id', 'duplicate', (by: string) => ({ by, source: 'duplicate:known' })],
    ])('with %s: only those are refused', async (_, streamId, poison) => {
      await one.tickets.execute(issue(streamId));
      await one.tickets.execute(
        take(streamId, 'first', {
          rows: [row('duplicate:known'), row(`${streamId}:first`)].slice(streamId === 'duplicate' ? 0 : 1),
        }),
      );
      const outcomes = await Promise.allSettled(
        callers.map(({ by, poisoned }) => {
          const command = poisoned ? poison(by) : { by, source: `${streamId}:${by}` };
          return one.tickets.execute(take(streamId, command.by, { rows: [row(command.source)] }));
        }),
      );
      expect(outcomes.map(({ status }) => status === 'rejected')).toEqual(
        callers.map(({ poisoned }) => poisoned),
      );
      const sound = callers.filter(({ poisoned }) => !poisoned).map(({ by }) => by);
      expect((await takersOf(streamId)).sort()).toEqual(['first', ...sound].sort());
      const answers = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      expect([...answers].sort((a, b) => Number(a) - Number(b))).toEqual(sound.map((_, index) => index + 2));
      expect((await one.tickets.load(project.id, streamId))?.state.taken).toBe(sound.length + 1);
    });

    it('tells a poisoned caller what was wrong with his own rows', async () => {
      await one.tickets.execute(issue('own'));
      await one.tickets.execute(take('own', 'ann', { rows: [row('own:1')] }));
      const again = one.tickets.execute(take('own', 'bob', { rows: [row('own:1')] }));
      await expect(again).rejects.toBeInstanceOf(UniqueViolation);
      await expect(again).rejects.toMatchObject({ constraint: 'takings_pkey' });
    });
  });

  describe('a batch', () => {
    it('does not fail because one member’s decider throws, or its event is too large', async () => {
      await one.tickets.execute(issue('defects'));
      const outcomes = await Promise.allSettled([
        one.tickets.execute(take('defects', 'ann')),
        one.tickets.execute({
          ...take('defects', 'x'),
          decide: () => {
            throw new TypeError('a defect');
          },
        }),
        one.tickets.execute(take('defects', 'x'.repeat(1_000_000))),
        one.tickets.execute(take('defects', 'bob')),
      ]);
      expect(outcomes).toMatchObject([
        { status: 'fulfilled', value: 1 },
        { reason: { message: 'a defect' } },
        { reason: { name: 'EventTooLarge' } },
        { status: 'fulfilled', value: 2 },
      ]);
    });

    it('does not answer a refusal that was decided on members who then failed', async () => {
      await one.tickets.execute(issue('last', 1));
      const [poisoned, next] = await Promise.allSettled([
        one.tickets.execute(take('last', 'poisoned', { rows: [row('last\0')] })),
        one.tickets.execute(take('last', 'ann')),
      ]);
      expect(poisoned.status).toBe('rejected');
      expect(next).toEqual({ status: 'fulfilled', value: 1 });
    });

    it('gives 50 callers on a limit of 10, in two processes, 10 successes', async () => {
      for (let round = 0; round < 20; round += 1) {
        const streamId = `limit_${round}`;
        await one.tickets.execute(issue(streamId, 10));
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            (index % 2 ? one : other).tickets.execute(take(streamId, `c${index}`)),
          ),
        );
        expect(answers.filter((answer) => !isRefused(answer)).sort()).toEqual([
          1, 10, 2, 3, 4, 5, 6, 7, 8, 9,
        ]);
        expect(await takersOf(streamId)).toHaveLength(10);
      }
    });
  });

  describe('a side row', () => {
    const close = (source_id: string) => ({
      update: 'takings',
      key: { source_id },
      expect: { state: 'OPEN' },
      set: { state: 'CLOSED' },
    });

    it('that is not as expected aborts the statement: StaleRow, and nothing is written', async () => {
      await one.tickets.execute(issue('stale'));
      await one.tickets.execute(take('stale', 'ann', { rows: [row('stale:1')] }));
      expect(await one.tickets.execute(take('stale', 'bob', { rows: [close('stale:1')] }))).toBe(2);
      await expect(
        one.tickets.execute(take('stale', 'cid', { rows: [close('stale:1')] })),
      ).rejects.toBeInstanceOf(StaleRow);
      await expect(
        one.tickets.execute(take('stale', 'dan', { rows: [close('stale:none')] })),
      ).rejects.toBeInstanceOf(StaleRow);
      expect(await takersOf('stale')).toEqual(['ann', 'bob']);
    });

    it('can be written and changed by members of one batch', async () => {
      await one.tickets.execute(issue('same'));
      const answers = await Promise.all([
        one.tickets.execute(take('same', 'ann', { rows: [row('same:1')] })),
        one.tickets.execute(take('same', 'bob', { rows: [close('same:1')] })),
        one.tickets.execute({
          ...take('same', 'cid'),
          decide: () => ({ events: [], rows: [row('same:2')], answer: 0 }),
        }),
      ]);
      expect(answers).toEqual([1, 2, 0]);
      const [{ state }] = await one.dataSource.query(`SELECT state FROM takings WHERE source_id = 'same:1'`);
      expect(state).toBe('CLOSED');
    });

    it('changed twice in one batch is changed by two statements', async () => {
      await one.tickets.execute(issue('twice'));
      await one.tickets.execute(take('twice', 'ann', { rows: [row('twice:1')] }));
      const step = (from: string, to: string) => ({
        ...close('twice:1'),
        expect: { state: from },
        set: { state: to },
      });
      expect(
        await Promise.all([
          one.tickets.execute(take('twice', 'bob', { rows: [step('OPEN', 'HALF')] })),
          one.tickets.execute(take('twice', 'cid', { rows: [step('HALF', 'CLOSED')] })),
        ]),
      ).toEqual([2, 3]);
    });
  });

  describe('a full mailbox', () => {
    it('answers overloaded, and everybody who was let in is served', async () => {
      await one.tickets.execute(issue('full'));
      const before = one.store.metrics.overloaded;
      const outcomes = await Promise.allSettled(
        Array.from({ length: 4_200 }, (_, index) =>
          one.tickets.execute({ ...take('full', `c${index}`), context: nobody }),
        ),
      );
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(refused).toHaveLength(4_200 - 4_096);
      expect(refused[0]).toMatchObject({ reason: { kind: 'overloaded', retryable: true } });
      expect((await one.tickets.load(project.id, 'full'))?.state.taken).toBe(4_096);
      expect(one.store.metrics.overloaded - before).toBe(refused.length);
      expect(one.store.metrics.mailboxDepth).toBe(0);
    });
  });

  it('is refused to a project that floods a process, while the calls of others go through', async () => {
    const { tickets } = await processes.process({ limits: { ...limits, waiting: 40 } });
    const other = { ...nobody, project: { ...project, id: 'proj_quiet' } };
    const issuing = (count: number, context = nobody) =>
      Array.from({ length: count }, (_, index) => tickets.execute({ ...issue(`flood_${index}`), context }));
    const flood = Promise.allSettled(issuing(60));
    expect(await Promise.all(issuing(20, other))).toHaveLength(20);
    const refused = (await flood).filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(40);
    expect(refused[0]).toMatchObject({ reason: { kind: 'overloaded', retryable: true } });
    expect(await Promise.all(issuing(20))).toHaveLength(20);
  });
});
