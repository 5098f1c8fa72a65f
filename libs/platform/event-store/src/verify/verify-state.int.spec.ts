import { type Process, Processes, issue, nobody, project, take } from '../test-bed/tickets.fixture';

let processes: Processes;
let one: Process;

beforeAll(async () => {
  processes = await Processes.start('verify_state');
  one = await processes.process();
  const beginnings = Array.from({ length: 1_100 }, (_, index) => ({
    streamId: `v${index}`,
    events: [{ type: 'TicketIssued' as const, data: { code: `v${index}`, limit: 5 } }],
  }));
  await one.tickets.createMany(null, nobody, beginnings);
  await one.tickets.execute(take('v1', 'ann'));
});

afterAll(() => processes.stop());

describe('verifyState', () => {
  it('finds no difference in what was appended', async () => {
    expect(await one.store.verifyState()).toEqual([]);
  });

  it('says how far it is', async () => {
    const seen: unknown[] = [];
    await one.store.verifyState((progress) => seen.push(progress));
    expect(seen).toEqual([500, 1_000, 1_100].map((streams) => ({ aggregate: 'ticket', streams })));
  });

  it('folds streams of more events than it holds at a time', async () => {
    await one.tickets.execute(issue('long'));
    await Promise.all(
      Array.from({ length: 700 }, (_, index) => one.tickets.execute(take('long', `c${index}`))),
    );
    expect(await one.store.verifyState()).toEqual([]);
    await one.dataSource.query(
      `UPDATE tickets SET state = jsonb_set(state, '{taken}', '3') WHERE id = 'long'`,
    );
    expect(await one.store.verifyState()).toMatchObject([{ streamId: 'long', folded: { taken: 700 } }]);
    await one.dataSource.query(
      `UPDATE tickets SET state = jsonb_set(state, '{taken}', '700') WHERE id = 'long'`,
    );
  });

  it('finds a planted difference, in any page', async () => {
    await one.dataSource.query(
      `UPDATE tickets SET state = jsonb_set(state, '{taken}', '3') WHERE id IN ('v1', 'v999')`,
    );
    const stream = { aggregate: 'ticket', projectId: project.id, problem: 'state' };
    expect(await one.store.verifyState()).toEqual([
      {
        ...stream,
        streamId: 'v1',
        folded: { code: 'v1', limit: 5, taken: 1 },
        stored: { code: 'v1', limit: 5, taken: 3 },
      },
      {
        ...stream,
        streamId: 'v999',
        folded: { code: 'v999', limit: 5, taken: 0 },
        stored: { code: 'v999', limit: 5, taken: 3 },
      },
    ]);
    await one.dataSource.query(`
      UPDATE tickets SET state = jsonb_set(state, '{taken}', '0') WHERE id = 'v999';
      UPDATE tickets SET state = jsonb_set(state, '{taken}', '1') WHERE id = 'v1'`);
  });

  it('finds a stream whose beginning the log has lost, and goes on with the others', async () => {
    await one.tickets.execute(take('v2', 'ann'));
    await one.dataSource.query(`DELETE FROM events WHERE stream_id = 'v2' AND version = 1`);
    await one.dataSource.query(
      `UPDATE tickets SET state = jsonb_set(state, '{taken}', '3') WHERE id IN ('v1', 'v3')`,
    );
    expect(await one.store.verifyState()).toMatchObject([
      { streamId: 'v1', problem: 'state' },
      {
        streamId: 'v2',
        problem: 'fold',
        folded: [2],
        error: expect.stringMatching(/^version 2: TypeError: .*undefined/),
      },
      { streamId: 'v3', problem: 'state' },
    ]);
    await one.dataSource.query(`
      DELETE FROM events WHERE stream_id = 'v2'; DELETE FROM tickets WHERE id = 'v2';
      UPDATE tickets SET state = jsonb_set(state, '{taken}', '0') WHERE id = 'v3';
      UPDATE tickets SET state = jsonb_set(state, '{taken}', '1') WHERE id = 'v1'`);
  });

  it('finds a row behind its events, and events without a row', async () => {
    await one.tickets.execute(issue('gone'));
    await one.dataSource.query(
      `UPDATE tickets SET version = 1 WHERE id = 'v1'; DELETE FROM tickets WHERE id = 'gone'`,
    );
    expect(await one.store.verifyState()).toMatchObject([
      { streamId: 'v1', problem: 'version', stored: 1, folded: [1, 2] },
      { streamId: 'gone', problem: 'row' },
    ]);
  });
});
