import type { DataSource } from 'typeorm';
import { createDatabase } from '@scrip/testing';
import { classifyDatabaseError } from '../index';
import { connect } from '../test-bed/tickets.fixture';
import { ofAnyLength } from './any-length';
import { poolOf } from './pool-of';
import { withClient } from './pooled-client';

let dataSource: DataSource;

beforeAll(async () => {
  dataSource = await connect(await createDatabase('prepared'), 1);
});
afterAll(() => dataSource.destroy());

const prepared = async (statement: string): Promise<unknown[]> =>
  (await dataSource.query('SELECT statement FROM pg_prepared_statements')).filter(
    (row: { statement: string }) => row.statement === statement,
  );

describe('a connection', () => {
  it('prepares what its process runs often, and answers the same', async () => {
    const double = 'SELECT $1::int * 2 AS doubled';
    for (let number = 1; number <= 8; number += 1) {
      expect(await dataSource.query(double, [number])).toEqual([{ doubled: number * 2 }]);
      expect(await prepared(double)).toHaveLength(number > 5 ? 1 : 0);
    }
  });

  it('plans a statement of short arrays once, where the planner does not count their elements', async () => {
    await dataSource.query(
      'CREATE TEMPORARY TABLE drawers (project_id text, id text, PRIMARY KEY (project_id, id))',
    );
    await dataSource.query(`INSERT INTO drawers SELECT 'p', g::text FROM generate_series(1, 10000) g`);
    await dataSource.query('ANALYZE drawers');
    const drawersOf = (ids: string) =>
      `SELECT d.id FROM unnest(${ids}) AS q(id) JOIN drawers d ON d.project_id = $1 AND d.id = q.id`;
    const plans = async (statement: string) => {
      for (let time = 1; time <= 40; time += 1)
        expect(await dataSource.query(statement, ['p', ['7']])).toEqual([{ id: '7' }]);
      const [counts] = await dataSource.query(
        `SELECT sum(generic_plans)::int AS kept, sum(custom_plans)::int AS anew FROM pg_prepared_statements
         WHERE statement = $1`,
        [statement],
      );
      return counts;
    };
    expect(await plans(drawersOf('$2::text[]'))).toEqual({ kept: 0, anew: 35 });
    expect(await plans(drawersOf(ofAnyLength('$2')))).toEqual({ kept: 25, anew: 10 });
  });

  it('prepares nothing that has no parameters', async () => {
    for (let number = 1; number <= 8; number += 1) await dataSource.query('SELECT 42 AS answer');
    expect(await prepared('SELECT 42 AS answer')).toEqual([]);
  });

  it('answers a failure of a prepared statement as such, and goes on', async () => {
    const divide = 'SELECT 10 / $1::int AS part';
    for (let number = 1; number <= 6; number += 1) await dataSource.query(divide, [number]);
    await expect(dataSource.query(divide, [0])).rejects.toMatchObject({ code: '22012' });
    expect(await dataSource.query(divide, [5])).toEqual([{ part: 2 }]);
  });

  it('plans again when the columns of a table change', async () => {
    await dataSource.query('CREATE TEMPORARY TABLE shelves (id int, room text)');
    const insert = 'INSERT INTO shelves (id) VALUES ($1) RETURNING id';
    for (let id = 1; id <= 7; id += 1) await dataSource.query(insert, [id]);
    await dataSource.query('ALTER TABLE shelves ADD COLUMN height int NOT NULL DEFAULT 3');
    expect(await dataSource.query(insert, [8])).toEqual([{ id: 8 }]);
    expect(await dataSource.query('SELECT height FROM shelves WHERE id = 8')).toEqual([{ height: 3 }]);
  });

  it('names who asked in the stack of an error of the server', async () => {
    const share = 'SELECT 12 / $1::int AS part';
    const shareOf = (count: number) => withClient(poolOf(dataSource), (one) => one.query(share, [count]));
    for (let count = 1; count <= 6; count += 1) await shareOf(count);
    const error: unknown = await shareOf(0).catch((thrown: unknown) => thrown);
    expect((error as Error).stack).toContain('withClient');
  });

  it('answers a pool too, which asks for a callback', async () => {
    const triple = 'SELECT 3 * $1::int AS tripled';
    for (let number = 1; number <= 8; number += 1)
      expect((await poolOf(dataSource).query(triple, [number])).rows).toEqual([{ tripled: 3 * number }]);
    await expect(poolOf(dataSource).query(triple, ['three'])).rejects.toMatchObject({ code: '22P02' });
  });

  it('fails once, to be repeated, where a migration of a newer release changes the type of what is read', async () => {
    await dataSource.query('CREATE TEMPORARY TABLE labels (id int, data jsonb)');
    const read = 'SELECT data FROM labels WHERE id >= $1';
    for (let run = 1; run <= 7; run += 1) await dataSource.query(read, [run]);
    await dataSource.query('ALTER TABLE labels ALTER COLUMN data TYPE json');
    const error: unknown = await dataSource.query(read, [1]).catch((thrown: unknown) => thrown);
    expect(classifyDatabaseError(error)).toEqual({ kind: 'transient' });
    expect(await dataSource.query(read, [1])).toEqual([]);
  });
});
