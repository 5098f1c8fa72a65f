import { createDatabase } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { EventStore, PreparingClient, eventStoreMigrations, stateTableColumns } from '../index';
import { nobody, project, ticketDefinition } from '../test-bed/tickets.fixture';

const open: DataSource[] = [];

const connect = async (url: string, migrations = eventStoreMigrations): Promise<DataSource> => {
  const extra = { Client: PreparingClient };
  const dataSource = await new DataSource({ type: 'postgres', url, migrations, extra }).initialize();
  open.push(dataSource);
  return dataSource;
};

afterAll(() => Promise.all(open.map((dataSource) => dataSource.destroy())));

test('events that an older release stored are read as before, and folded on', async () => {
  const url = await createDatabase('events_migrated');
  const older = await connect(url, eventStoreMigrations.slice(0, 1));
  await older.runMigrations();
  await older.query(`CREATE TABLE tickets (${stateTableColumns}, code text COLLATE "C" NOT NULL)`);
  await older.query(
    `INSERT INTO tickets (project_id, id, version, epoch, state, code)
     VALUES ($1, 'T', 1, 1, '{"code": "T", "limit": 2, "taken": 0}', 'T')`,
    [project.id],
  );
  await older.query(
    `INSERT INTO events (epoch, ord, event_id, project_id, aggregate, stream_id, version, type, schema_version, data, metadata)
     VALUES (1, '1', gen_random_uuid(), $1, 'ticket', 'T', 1, 'TicketIssued', 1, '{"limit": 2, "code": "T"}', '{"channel": "API"}')`,
    [project.id],
  );
  const dataSource = await connect(url);
  await dataSource.runMigrations();
  const store = new EventStore('tickets', dataSource);
  await store.start();
  const tickets = store.aggregate(ticketDefinition);
  const take = { type: 'TicketTaken' as const, data: { by: 'ann' } };
  await tickets.execute({ context: nobody, streamId: 'T', decide: () => ({ events: [take], answer: null }) });
  expect(await store.readStream('ticket', project.id, 'T')).toMatchObject([
    { type: 'TicketIssued', data: { code: 'T', limit: 2 }, metadata: { channel: 'API' } },
    { type: 'TicketTaken', data: { by: 'ann' } },
  ]);
  expect(await store.verifyState()).toEqual([]);
  const types = await dataSource.query(
    `SELECT DISTINCT data_type FROM information_schema.columns
     WHERE table_name LIKE 'events%' AND column_name IN ('data', 'metadata')`,
  );
  expect(types).toEqual([{ data_type: 'json' }]);
});
