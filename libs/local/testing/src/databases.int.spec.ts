import { Client } from 'pg';
import { randomBytes } from 'node:crypto';
import { createDatabase, dropDatabase, preparedDatabase } from './databases';

const ask = async <Row>(url: string, statement: string): Promise<Row[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows as Row[];
  } finally {
    await client.end();
  }
};

describe('createDatabase', () => {
  it('gives an empty database', async () => {
    const url = await createDatabase('Campaigns & vouchers');
    expect(await ask(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(new URL(url).pathname).toMatch(/^\/campaigns_vouchers_[0-9a-f]{12}$/);
    await dropDatabase(url);
    await expect(ask(url, 'SELECT 1')).rejects.toThrow(/does not exist/);
  });

  it('gives another one each time, also at the same time', async () => {
    const urls = await Promise.all(Array.from({ length: 4 }, () => createDatabase()));
    expect(new Set(urls).size).toBe(4);
  });

  it('stands on a server that answers when a commit is written, with UTC and code point order', async () => {
    const [settings] = await ask(
      await createDatabase(),
      `SELECT current_setting('synchronous_commit') AS commit,
              current_setting('max_connections') AS connections, current_setting('timezone') AS timezone,
              'Z' < 'a' AS by_code_point, 'Ż' = upper('ż') AS unicode`,
    );
    expect(settings).toEqual({
      commit: 'on',
      connections: '600',
      timezone: 'UTC',
      by_code_point: true,
      unicode: true,
    });
  });
});

describe('preparedDatabase', () => {
  it('gives each caller a copy of what was prepared once, also at the same time', async () => {
    const kind = `notes_${randomBytes(4).toString('hex')}`;
    let prepared = 0;
    const notes = () =>
      preparedDatabase(kind, async (url) => {
        prepared += 1;
        await ask(url, 'CREATE TABLE notes AS SELECT 1 AS number');
      });
    const [one, other] = await Promise.all([notes(), notes()]);
    await ask(one!, 'DELETE FROM notes');
    expect(await ask(other!, 'SELECT number FROM notes')).toEqual([{ number: 1 }]);
    expect(await ask(await notes(), 'SELECT number FROM notes')).toEqual([{ number: 1 }]);
    expect(prepared).toBe(1);
  });
});
