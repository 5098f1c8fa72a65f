import { Global, Injectable, Logger, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { getDataSourceToken } from '@nestjs/typeorm';
import { waitUntil } from '@scrip/testing';
import { EventStore, EventStoreModule, InjectEventStore } from './index';
import { partitionsFrom } from './partitions';
import { type Process, Processes, issue, ticketDefinition } from './test-bed/tickets.fixture';

let processes: Processes;
let one: Process;

beforeAll(async () => {
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
    expect(event).toMatchObject({ service: 'tickets', position: expect.stringMatching(/^2-/) });
    await module.close();
  });

  it('tells when its maintenance fails', async () => {
    const timers = jest.spyOn(globalThis, 'setInterval');
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const module = await started();
    jest.spyOn(module.get(Handlers).store, 'maintain').mockRejectedValue(new Error('disk full'));
    const [maintain] = timers.mock.calls.find(([, everyMs]) => everyMs === 6 * 3_600_000)!;
    maintain();
    await waitUntil(() => warn.mock.calls.length > 0, { what: 'the warning' });
    expect(warn).toHaveBeenCalledWith('maintenance of tickets failed: Error: disk full');
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
