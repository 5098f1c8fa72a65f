import { type AddressInfo, createServer } from 'node:net';
import { type DatabaseWay, createDatabase, databaseWay, dropDatabase } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { BoundedClient, PreparingClient, classifyDatabaseError } from '../index';

const answerMs = 1_000;
const longerThanThat = 'SELECT pg_sleep(1.5)';
const forEver = 'SELECT pg_sleep(600)';

const backend = async (dataSource: DataSource): Promise<number> =>
  (await dataSource.query('SELECT pg_backend_pid() AS pid'))[0].pid;

/** What the connection was lost by; anything else is thrown. */
const lossOf = async (work: Promise<unknown>): Promise<string> => {
  const error: unknown = await work.then(
    () => new Error('it was answered'),
    (thrown: unknown) => thrown,
  );
  if (classifyDatabaseError(error).kind !== 'lost') throw error;
  return (error as Error).message;
};

describe('a connection whose answers are bounded', () => {
  let url: string;
  let way: DatabaseWay;
  let dataSource: DataSource;

  beforeEach(async () => {
    url = await createDatabase('bounded');
    way = await databaseWay(url);
    dataSource = await new DataSource({
      type: 'postgres',
      url: way.url,
      poolSize: 1,
      extra: { Client: PreparingClient, answerMs },
    }).initialize();
  });
  afterEach(async () => {
    await dataSource.destroy();
    await way.close();
    await dropDatabase(url);
  });

  it('is lost when nothing comes back any more, and its pool opens another', async () => {
    const silent = await backend(dataSource);
    way.stall();
    expect(await lossOf(dataSource.query('SELECT 1'))).toBe(
      `Connection terminated: no answer for ${answerMs} ms`,
    );
    expect(await backend(dataSource)).not.toBe(silent);
  });

  it('is lost inside a transaction, whose caller learns of it', async () => {
    const broken = dataSource.transaction(async (manager) => {
      await manager.query('SELECT 1');
      way.stall();
      await manager.query('SELECT 2');
    });
    expect(await lossOf(broken)).toMatch('no answer');
    expect(await dataSource.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('stays while the server sends something', async () => {
    const rows = `SELECT i, pg_sleep(0.15), repeat('x', 20000) FROM generate_series(1, 12) AS i`;
    expect(await dataSource.query(rows)).toHaveLength(12);
  });

  it('stays when this process stood still for longer than an answer may take', async () => {
    const asked = dataSource.query('SELECT 1 AS one');
    await new Promise((resolve) => setImmediate(resolve));
    const until = Date.now() + 2 * answerMs;
    while (Date.now() < until);
    expect(await asked).toEqual([{ one: 1 }]);
  });

  it('waits in a transaction that has no time limit, and no longer than in it', async () => {
    const first = await dataSource.transaction(async (manager) => {
      await manager.query('SET LOCAL statement_timeout = 0');
      await manager.query(longerThanThat);
      return (await manager.query('SELECT pg_backend_pid() AS pid'))[0].pid;
    });
    expect(await backend(dataSource)).toBe(first);
    expect(await lossOf(dataSource.query(forEver))).toMatch('no answer');
  });

  it('waits in a session that has no time limit, until that is given back', async () => {
    await dataSource.query('SET statement_timeout = 0; SET transaction_timeout = 0');
    await dataSource.transaction((manager) => manager.query('SET LOCAL statement_timeout = 0'));
    await dataSource.query(longerThanThat);
    await dataSource.query('RESET statement_timeout; RESET transaction_timeout');
    expect(await lossOf(dataSource.query(forEver))).toMatch('no answer');
  });

  it('is bounded where the limit of a transaction is another', async () => {
    const broken = dataSource.transaction(async (manager) => {
      await manager.query(`SET LOCAL statement_timeout = 900000`);
      await manager.query(forEver);
    });
    expect(await lossOf(broken)).toMatch('no answer');
  });
});

describe('a new connection', () => {
  it('is given up when the server takes it and says nothing', async () => {
    const silent = createServer((socket) => void socket.resume()).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as AddressInfo;
    const client = new BoundedClient({ host: '127.0.0.1', port, user: 'anyone', answerMs });
    expect(await lossOf(client.connect())).toMatch('no answer');
    await new Promise((resolve) => silent.close(resolve));
  });
});
