import { resolve } from 'node:path';
import { createDatabase, KilledProgram, rounds, waitUntil } from '@scrip/testing';

const file = resolve(__dirname, '../customers-program.fixture.ts');
const kills = rounds(10);
const rows = 10_000 * kills;
/** Every 300th row names one of five, twice in a row: of two chunks beside each other some name the same one, and others do not. */
const nameOf = (row: number): string =>
  row % 300 === 0 ? `often-${Math.floor(row / 600) % 5}` : `once-${row}`;
const lastRows = new Map(Array.from({ length: rows }, (_, row) => [nameOf(row), row]));
const distinct = lastRows.size;

describe('an import of customers in a process that is killed', () => {
  let program: KilledProgram;

  beforeAll(async () => {
    program = await KilledProgram.start(file, await createDatabase('import_killed'));
  }, 120_000);
  afterAll(() => program?.end());

  it(`stores ${distinct} customers of ${rows} rows once, as their last rows say, although it is killed ${kills} times`, async () => {
    const lines = Array.from({ length: rows }, (_, row) => `${nameOf(row)},Row ${row}`);
    const form = new FormData();
    form.append('file', new Blob([`Source_id,Name\n${lines.join('\n')}\n`]), 'customers.csv');
    expect((await program.call('POST', '/v1/customers/importCSV', form)).status).toBe(202);

    const done = () => program.count('SELECT coalesce(sum(done), 0) FROM customers.task_chunks');
    await program.killWhileWorking({
      kills,
      progress: done,
      afterKill: (so) => expect(so).toBeLessThan(rows),
    });
    await waitUntil(
      async () => (await program.count(`SELECT count(*) FROM customers.tasks WHERE status <> 'DONE'`)) === 0,
      { what: 'the end of the import', timeoutMs: 120_000 },
    );

    expect(await done()).toBe(rows);
    expect(await program.count('SELECT count(*) FROM customers.customer_keys')).toBe(distinct);
    const events = (type: string) =>
      program.count(`SELECT count(*) FROM customers.events WHERE type = '${type}'`);
    expect([await events('CustomerCreated'), await events('AsyncActionCompleted')]).toEqual([distinct, 1]);
    expect(await events('CustomerUpdated')).toBe(rows - distinct);
    for (const [name, row] of lastRows)
      if (name.startsWith('often'))
        expect((await program.call('GET', `/v1/customers/${name}`)).body.name).toBe(`Row ${row}`);
  }, 600_000);
});
