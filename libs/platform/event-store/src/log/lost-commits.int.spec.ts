import { type Refusal, refuse } from '@scrip/kernel';
import { VersionConflict } from '../index';
import { CuttingProxy } from '../test-bed/cutting-proxy.fixture';
import {
  type Process,
  Processes,
  bothWays,
  giveBack,
  issue,
  nobody,
  project,
  take,
} from '../test-bed/tickets.fixture';

describe.each(bothWays)('after a failover that lost commits, a write that goes %s', (_way, limits) => {
  let processes: Processes;
  let proxy: CuttingProxy;
  /** Has the states from before the failover in its memory. */
  let one: Process;
  let other: Process;

  beforeAll(async () => {
    processes = await Processes.start('lost_commits');
    proxy = await CuttingProxy.start(processes.url);
    one = await processes.process({ limits });
    other = await processes.process({ url: proxy.url, limits });
  });

  afterAll(async () => {
    await processes.stop();
    await proxy.stop();
  });

  /** A ticket of which `one` remembers version 2, taken once, while PostgreSQL has version 1 in a new epoch. */
  const setBack = async (streamId: string): Promise<void> => {
    await one.tickets.execute(issue(streamId));
    const [before] = await one.dataSource.query('SELECT * FROM tickets WHERE id = $1', [streamId]);
    expect(await one.tickets.execute(take(streamId, 'lost'))).toBe(1);
    await other.dataSource.query('DELETE FROM events WHERE stream_id = $1 AND version = 2', [streamId]);
    await other.dataSource.query(
      `UPDATE tickets SET version = 1, epoch = $2, last_ord = $3, state = $4 WHERE id = $1`,
      [streamId, before.epoch, before.last_ord, before.state],
    );
    await other.store.raiseEpoch();
  };

  const taken = async (streamId: string) => (await other.tickets.load(project.id, streamId))?.state.taken;

  afterEach(async () => {
    // The row is the fold of the events that are there.
    expect(await other.store.verifyState()).toEqual([]);
  });

  it('is decided on what another process has committed as the same version', async () => {
    await setBack('written');
    expect(await other.tickets.execute(giveBack('written', 'bob'))).toBe(-1);
    expect(await one.tickets.execute(take('written', 'ann'))).toBe(0);
    expect(await taken('written')).toBe(0);
  });

  it('is decided on the version by which another process has ended a commit in doubt', async () => {
    await setBack('doubted');
    let open = true;
    const command = take('doubted', 'bob');
    const cut = proxy.cutNext(['doubted', '"t":"Ticket'], 'before').then(() => (open = false));
    const answer: number | Refusal = await other.tickets.execute({
      ...command,
      decide: (ticket) => (open ? command.decide(ticket) : refuse('too_late')),
    });
    await cut;
    expect(answer).toEqual({ refused: 'too_late' });
    expect(await other.tickets.load(project.id, 'doubted')).toMatchObject({ version: 2 });
    expect(await one.tickets.execute(take('doubted', 'ann'))).toBe(1);
    expect(await taken('doubted')).toBe(1);
  });

  it('goes on in the memory of its own process', async () => {
    await setBack('remembered');
    expect(await one.tickets.execute(take('remembered', 'ann'))).toBe(1);
    const conflicts = one.store.metrics.versionConflicts;
    expect(await one.tickets.execute(take('remembered', 'bob'))).toBe(2);
    expect(one.store.metrics.versionConflicts).toBe(conflicts);
  });

  it('is refused on a current state only', async () => {
    await setBack('refused');
    await other.tickets.execute(giveBack('refused', 'bob'));
    const onePerTicket = { ...take('refused', 'ann') };
    const answer = await one.tickets.execute({
      ...onePerTicket,
      decide: (ticket) => (ticket!.taken > 0 ? refuse('taken') : onePerTicket.decide(ticket)),
    });
    expect(answer).toBe(0);
  });

  it('writes side rows beside a current state only', async () => {
    await setBack('rows');
    await other.tickets.execute(giveBack('rows', 'bob'));
    const note = (streamId: string) => ({
      context: nobody,
      streamId,
      decide: (ticket?: { taken: number }) => ({
        events: [],
        rows: [{ insert: 'takings', values: { source_id: 'rows', state: `taken ${ticket?.taken}` } }],
        answer: ticket?.taken,
      }),
    });
    expect(await one.tickets.execute(note('rows'))).toBe(-1);
    const rows = await one.dataSource.query(`SELECT state FROM takings WHERE source_id = 'rows'`);
    expect(rows).toEqual([{ state: 'taken -1' }]);
  });

  it('of many streams does not replace the commit of another process', async () => {
    await one.tickets.execute(issue('many'));
    await one.tickets.execute(take('many', 'lost'));
    const before = (await one.tickets.load(project.id, 'many'))!;
    await setBack('other');
    await other.dataSource.query(`DELETE FROM events WHERE stream_id = 'many' AND version = 2`);
    await other.dataSource.query(
      `UPDATE tickets SET version = 1, state = jsonb_set(state, '{taken}', '0') WHERE id = 'many'`,
    );
    await other.tickets.execute(giveBack('many', 'bob'));
    const { state, version, epoch } = before;
    const events = [{ type: 'TicketTaken' as const, data: { by: 'ann' } }];
    const expected = { expectedVersion: version, expectedEpoch: epoch };
    await expect(
      one.tickets.commitMany(null, nobody, [{ streamId: 'many', state, ...expected, events }]),
    ).rejects.toBeInstanceOf(VersionConflict);
  });
});
