import { Global, Injectable, Logger, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { getDataSourceToken } from '@nestjs/typeorm';
import { untilTheHourLasts, waitUntil } from '@scrip/testing';
import { EventStore, EventStoreModule, InjectEventStore } from './index';
import { partitionsFrom } from './log/partitions';
import { type Process, Processes, issue, ticketDefinition } from './test-bed/tickets.fixture';

let processes: Processes;
let one: Process;

beforeAll(async () => {
  // Partitions are those of this month.
  await untilTheHourLasts(60_000);
  processes = await Processes.start('event_store_module');
  one = await processes.process();
});

afterAll(() => processes.stop());

@Injectable()
class Handlers {
  constructor(@InjectEventStore('tickets') readonly store: EventStore) {}
}

const started = async (): Promise<TestingModule> => {
  @Global()
  @Module({
    providers: [{ provide: getDataSourceToken('tickets'), useValue: one.dataSource }],
    exports: [getDataSourceToken('tickets')],
  })
  class Sources {}

  const module = await Test.createTestingModule({
    imports: [Sources, EventStoreModule.forContext('tickets')],
    providers: [Handlers],
  }).compile();
  return module.init();
};

describe('EventStoreModule', () => {
  it('gives a context its store, with partitions and the epoch checked', async () => {
    await one.dataSource.query(`UPDATE event_store_meta SET timeline = 'other'`);

    const module = await started();
    const { store } = module.get(Handlers);
    await store.aggregate(ticketDefinition).execute(issue('n1'));
    const [event] = await store.readStream('ticket', 'proj_1', 'n1');
    expect(event).toMatchObject({ service: 'tickets', position: expect.not.stringMatching(/^1-/) });
    await module.close();
  });

  it('tells when its maintenance fails, starts nevertheless, and tries again soon', async () => {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    await one.dataSource.query('ALTER TABLE event_store_receipts RENAME TO receipts_elsewhere');
    const module = await started();
    expect(warn).toHaveBeenCalledWith(
      'maintenance of tickets failed: error: relation "event_store_receipts" does not exist',
    );
    await one.dataSource.query('ALTER TABLE receipts_elsewhere RENAME TO event_store_receipts');
    const [maintain] = timers.mock.calls.find(([, delayMs]) => delayMs === 5 * 60_000)!;
    (maintain as () => void)();
    await waitUntil(() => timers.mock.calls.some(([, delayMs]) => delayMs === 6 * 3_600_000), {
      what: 'the next time',
    });
    await module.close();
    jest.restoreAllMocks();
  });
});

describe('partitions', () => {
  it('exist for this month and the next three, and take the events', async () => {
    const tables = await one.dataSource.query(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits ORDER BY 1`,
    );
    const months = partitionsFrom(new Date()).map(({ name }) => name);
    expect(tables.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining([...months, 'events_default']),
    );
    const used = await one.dataSource.query(`SELECT DISTINCT tableoid::regclass::text AS name FROM events`);
    expect(used).toEqual([{ name: months[0] }]);
  });

  it('are made while somebody reads the whole log for long, or else another time', async () => {
    const dump = one.dataSource.createQueryRunner();
    await dump.startTransaction();
    await dump.query('LOCK TABLE events IN ACCESS SHARE MODE');
    const startedAt = Date.now();
    const made = await one.store.maintain(new Date('2099-01-01T00:00:00Z'));
    expect(made).toBe(false);
    expect(Date.now() - startedAt).toBeLessThan(60_000);
    await one.store.aggregate(ticketDefinition).execute(issue('beside a dump'));
    await dump.rollbackTransaction();
    await dump.release();
    expect(await one.store.maintain(new Date('2099-01-01T00:00:00Z'))).toBe(true);
    const [{ made: attached }] = await one.dataSource.query(
      `SELECT count(*)::int AS made FROM pg_inherits WHERE inhparent = 'events'::regclass AND inhrelid::regclass::text LIKE 'events_2099%'`,
    );
    expect(attached).toBe(4);
    const [{ left }] = await one.dataSource.query(
      `SELECT count(*)::int AS left FROM pg_constraint WHERE conname LIKE 'events_2099%range'`,
    );
    expect(left).toBe(0);
  });

  it('let everybody append while they are made', async () => {
    const writer = one.dataSource.createQueryRunner();
    await writer.startTransaction();
    await writer.query(`
      INSERT INTO events (epoch, ord, event_id, project_id, aggregate, stream_id, version, type, schema_version, data, metadata)
      VALUES (1, '1', gen_random_uuid(), 'proj_1', 'other', 'open', 1, 'Open', 1, '{}', '{}')`);
    expect(await one.store.maintain(new Date('2100-01-01T00:00:00Z'))).toBe(true);
    await writer.rollbackTransaction();
    await writer.release();
  });

  it('have the indexes of the log', async () => {
    const indexes = (table: string) =>
      one.dataSource
        .query(
          `SELECT regexp_replace(indexdef, '.* USING', '') AS columns FROM pg_indexes WHERE tablename = $1 ORDER BY 1`,
          [table],
        )
        .then((rows: { columns: string }[]) => rows.map(({ columns }) => columns));
    const [month] = partitionsFrom(new Date());
    expect(await indexes(month!.name)).toEqual(await indexes('events'));
  });

  it('cross the end of a year', () => {
    expect(partitionsFrom(new Date('2026-11-30T23:59:59Z'))).toMatchObject([
      { name: 'events_2026_11', from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z' },
      { name: 'events_2026_12' },
      { name: 'events_2027_01' },
      { name: 'events_2027_02', to: '2027-03-01T00:00:00.000Z' },
    ]);
  });

  it('may be missing: the default partition takes the events, and keeps that month', async () => {
    await one.dataSource.query(`
      INSERT INTO events (epoch, ord, event_id, project_id, aggregate, stream_id, version, type, schema_version, data, metadata, recorded_at)
      VALUES (1, '1', gen_random_uuid(), 'proj_1', 'other', 'old', 1, 'Old', 1, '{}', '{}', '2020-05-05Z')`);
    await one.store.maintain(new Date('2020-05-01T00:00:00Z'));
    const [{ name }] = await one.dataSource.query(
      `SELECT tableoid::regclass::text AS name FROM events WHERE stream_id = 'old'`,
    );
    expect(name).toBe('events_default');
    const [{ made }] = await one.dataSource.query(`SELECT to_regclass('events_2020_06') IS NOT NULL AS made`);
    expect(made).toBe(true);
  });
});
