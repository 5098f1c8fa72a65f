import { type DatabaseWay, createDatabase, databaseWay, dropDatabase, waitUntil } from '@scrip/testing';
import { WatchedConnection, type WatchTimes } from './watched-connection';

// Long enough that a server on a busy machine answers.
const times = { checkMs: 20, answerMs: 1_000 };
const patient = { checkMs: 20, answerMs: 3_000 };

describe('a watched connection', () => {
  let url: string;
  let way: DatabaseWay;
  let connection: WatchedConnection;

  const open = async (watched: WatchTimes): Promise<void> => {
    connection = new WatchedConnection({ connectionString: way.url }, watched);
    await connection.open();
  };
  beforeEach(async () => {
    url = await createDatabase('watched');
    way = await databaseWay(url);
  });
  afterEach(async () => {
    await connection.close();
    await way.close();
    await dropDatabase(url);
  });

  it('is there as long as the server answers', async () => {
    await open(patient);
    for (let asked = 0; asked < 20; asked += 1) await connection.query('SELECT pg_sleep(0.2)', []);
    expect(connection.lost.aborted).toBe(false);
  });

  it('is lost when the server does not answer any more, though nothing is asked of it', async () => {
    await open(times);
    way.stall();
    await waitUntil(() => connection.lost.aborted, { what: 'the silence to be noticed' });
    await expect(connection.query('SELECT 1', [])).rejects.toThrow('the connection of the lock is gone');
  });

  it('is there after this process stood still for longer than an answer may take', async () => {
    await open(times);
    const asked = connection.query('SELECT 1 AS one', []);
    await new Promise((resolve) => setImmediate(resolve));
    const until = Date.now() + 2 * times.answerMs;
    while (Date.now() < until);
    expect(await asked).toEqual([{ one: 1 }]);
    expect(connection.lost.aborted).toBe(false);
  });

  it('is lost at once when the server ends it', async () => {
    await open(patient);
    const ended = connection.query('SELECT pg_terminate_backend(pg_backend_pid())', []);
    await expect(ended).rejects.toThrow();
    expect(connection.lost.aborted).toBe(true);
  });
});
