import { isRefused } from '@scrip/kernel';
import { waitUntil } from '@scrip/testing';
import { type Process, Processes, issue, nobody } from '../test-bed/tickets.fixture';

describe('a stream that two processes create at once', () => {
  // The first index of the table keeps both inserts waiting behind their look for the primary key, ahead of their entry.
  const lock = 20_261_127;

  let processes: Processes;
  let one: Process;
  let other: Process;
  let admin: Process;

  beforeAll(async () => {
    processes = await Processes.start('created_at_once');
    one = await processes.process();
    other = await processes.process();
    admin = await processes.process({ poolSize: 2 });
    await admin.dataSource.query(`
      CREATE FUNCTION held(code text) RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_advisory_xact_lock_shared(${lock}); RETURN true; END';
      ALTER TABLE tickets DROP CONSTRAINT tickets_pkey;
      DROP INDEX tickets_code;
      CREATE INDEX tickets_held ON tickets (held(code));
      ALTER TABLE tickets ADD PRIMARY KEY (project_id, id);
      CREATE UNIQUE INDEX tickets_code ON tickets (project_id, code)`);
  });

  afterAll(() => processes.stop());

  const together = async <A>(work: () => Promise<A>[]): Promise<A[]> => {
    const holder = admin.dataSource.createQueryRunner();
    await holder.query(`SELECT pg_advisory_lock(${lock})`);
    const answers = work();
    const callersWait = async () => {
      const [{ callers }] = await admin.dataSource.query(
        `SELECT count(*)::int AS callers FROM pg_locks WHERE locktype = 'advisory' AND objid = ${lock} AND NOT granted`,
      );
      return callers === answers.length;
    };
    await waitUntil(callersWait, { what: 'both inserts' });
    await holder.query(`SELECT pg_advisory_unlock(${lock})`);
    await holder.release();
    return Promise.all(answers);
  };

  it.each([
    ['by one statement', (by: Process) => by.tickets.execute(issue('held alone'))],
    [
      'under its lock',
      (by: Process) =>
        by.tickets.executeLocked({
          context: nobody,
          streamId: 'held locked',
          decide: async (ticket) => issue('held locked').decide(ticket),
        }),
    ],
  ])('is there for the second, whichever unique index named it: %s', async (_, create) => {
    const answers = await together(() => [create(one), create(other)]);
    expect(answers).toContainEqual({ refused: 'ticket_exists' });
    expect(answers.filter((answer) => !isRefused(answer))).toHaveLength(1);
  });

  it('asks for no second connection where a unique index refuses a creation', async () => {
    const narrow = await processes.process({ poolSize: 1 });
    await one.tickets.execute(issue('named'));
    const twin = narrow.tickets.executeLocked({
      context: nobody,
      streamId: 'of the same name',
      decide: async (ticket) => issue('named').decide(ticket),
    });
    expect(await twin).toMatchObject({ refused: 'duplicate_code' });
  });
});
