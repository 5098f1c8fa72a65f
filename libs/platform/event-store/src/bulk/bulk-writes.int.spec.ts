import { touchedRows } from '@scrip/testing';
import { StaleRow, UniqueViolation } from '../index';
import {
  type Process,
  Processes,
  nobody,
  project,
  take,
  takingsOf,
  ticketDefinition,
} from '../test-bed/tickets.fixture';
import { bulkStatement, change } from './bulk-statement';

let processes: Processes;
let one: Process;

beforeAll(async () => {
  processes = await Processes.start('bulk_writes');
  one = await processes.process();
});

afterAll(() => processes.stop());

describe('createMany and commitMany', () => {
  const beginnings = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      streamId: `m${from + index}`,
      events: [{ type: 'TicketIssued' as const, data: { code: `m${from + index}`, limit: 5 } }],
    }));

  it('create streams and change them', async () => {
    await one.tickets.createMany(null, nobody, beginnings(0, 12_000));
    const states = await one.tickets.loadMany(project.id, ['m0', 'm11999', 'm12000']);
    expect([...states.keys()].sort()).toEqual(['m0', 'm11999']);
    await one.tickets.commitMany(
      null,
      nobody,
      [...states].map(([streamId, { state, version, epoch }]) => ({
        streamId,
        state,
        expectedVersion: version,
        expectedEpoch: epoch,
        events: [{ type: 'TicketTaken', data: { by: 'bulk' } }],
      })),
    );
    expect(await one.tickets.execute(take('m0', 'ann'))).toBe(2);
    expect(await takingsOf(one, 'm11999')).toEqual([{ by: 'bulk' }]);
  });

  it('change a stream by its own row, also before the table has statistics', async () => {
    const { version, epoch, state } = (await one.tickets.load(project.id, 'm7'))!;
    const row = { streamId: 'm7', expectedVersion: version, expectedEpoch: epoch, expectedBasis: null };
    const write = {
      projectId: project.id,
      rows: [{ ...row, version: version + 1, state, snapshot: null }],
      events: [],
      changes: [],
    };
    const { text, values } = bulkStatement([change(ticketDefinition, write)]);
    const runner = one.dataSource.createQueryRunner();
    await runner.startTransaction();
    try {
      const touched = await touchedRows(runner, { text, values: [...values] }, 'tickets');
      expect(touched.rows).toBe(1);
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  });

  it('create nothing of a statement that violates a constraint', async () => {
    const items = [...beginnings(20_000, 3), ...beginnings(0, 1)];
    await expect(one.tickets.createMany(null, nobody, items)).rejects.toMatchObject({
      constraint: 'tickets_pkey',
    });
    expect(await one.tickets.load(project.id, 'm20000')).toBeUndefined();
  });

  it('change nothing when one version is another', async () => {
    const state = { code: 'm1', limit: 5, taken: 0 };
    const events = [{ type: 'TicketTaken' as const, data: { by: 'bulk' } }];
    await expect(
      one.tickets.commitMany(null, nobody, [
        { streamId: 'm1', state, expectedVersion: 1, expectedEpoch: 1, events },
        { streamId: 'm2', state, expectedVersion: 7, expectedEpoch: 1, events },
      ]),
    ).rejects.toThrow('1 of 2 streams have another version');
    expect(await takingsOf(one, 'm1')).toEqual([]);
  });

  it('write side rows with each stream, or nothing at all', async () => {
    const row = (source_id: string) => ({ insert: 'takings', values: { source_id, state: 'OPEN' } });
    const close = (source_id: string) => ({
      update: 'takings',
      key: { source_id },
      expect: { state: 'OPEN' },
      set: { state: 'CLOSED' },
    });
    const created = beginnings(40_000, 3).map((item) => ({ ...item, rows: [row(item.streamId)] }));
    await one.tickets.createMany(null, nobody, created);
    const change = (streamId: string, closed: string) => ({
      streamId,
      state: { code: streamId, limit: 5, taken: 0 },
      expectedVersion: 1,
      expectedEpoch: 1,
      events: [{ type: 'TicketTaken' as const, data: { by: 'bulk' } }],
      rows: [close(closed)],
    });
    const [first, second] = [change('m40000', 'm40000'), change('m40001', 'm40001')];
    await one.tickets.commitMany(null, nobody, [first, second]);
    const again = one.tickets.commitMany(null, nobody, [change('m40002', 'm40001')]);
    await expect(again).rejects.toBeInstanceOf(StaleRow);
    const rows = await one.dataSource.query(
      `SELECT source_id, state FROM takings WHERE source_id LIKE 'm4000%' ORDER BY 1`,
    );
    expect(rows.map(({ state }: { state: string }) => state)).toEqual(['CLOSED', 'CLOSED', 'OPEN']);
    expect(await takingsOf(one, 'm40002')).toEqual([]);
  });

  it('createTogether writes all streams with their side rows, or none', async () => {
    const row = (source_id: string) => ({ insert: 'takings', values: { source_id, state: 'OPEN' } });
    const items = beginnings(50_000, 3).map((item) => ({ ...item, rows: [row(item.streamId)] }));
    await one.tickets.createTogether(nobody, items.slice(0, 1));
    await expect(one.tickets.createTogether(nobody, [...items.slice(1), items[0]!])).rejects.toBeInstanceOf(
      UniqueViolation,
    );
    expect([...(await one.tickets.loadMany(project.id, ['m50000', 'm50001', 'm50002'])).keys()]).toEqual([
      'm50000',
    ]);
  });

  it('createTogether is one transaction also where one statement does not hold it', async () => {
    const items = beginnings(60_000, 5_001);
    await expect(
      one.tickets.createTogether(nobody, [...items, ...beginnings(50_000, 1)]),
    ).rejects.toBeInstanceOf(UniqueViolation);
    expect(await one.tickets.load(project.id, 'm60000')).toBeUndefined();
    await one.tickets.createTogether(nobody, items);
    expect(await one.tickets.load(project.id, 'm65000')).toBeDefined();
  });

  it('take part in the caller’s transaction', async () => {
    await one.dataSource
      .transaction(async (manager) => {
        await one.tickets.createMany(manager, nobody, beginnings(30_000, 1));
        throw new Error('changed my mind');
      })
      .catch(() => undefined);
    expect(await one.tickets.load(project.id, 'm30000')).toBeUndefined();
  });
});

describe('appendTogether', () => {
  // A pool of one connection: the next statement waits until it is free again.
  const lonely = () => processes.process({ poolSize: 1 });
  const first = { shape: 'nothing', values: [], sql: () => 'SELECT 1' };
  const firstThatWaits = {
    shape: 'a row that another transaction inserts',
    values: [],
    sql: () => 'INSERT INTO held VALUES (1) ON CONFLICT DO NOTHING RETURNING 1',
  };
  const issued = ({ tickets }: Process, streamId: string) =>
    tickets.creating([
      { streamId, events: [{ type: 'TicketIssued' as const, data: { code: streamId, limit: 5 } }] },
    ]);

  it('calls `meanwhile` once the statement was sent, before anything is written', async () => {
    const process = await lonely();
    await one.dataSource.query('CREATE TABLE held (id int PRIMARY KEY)');
    const holder = one.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('INSERT INTO held VALUES (1)');
    let found: Promise<unknown> | undefined;
    const meanwhile = () => {
      found = one.tickets.load(project.id, 'm70000').finally(() => holder.rollbackTransaction());
    };
    await process.store.appendTogether(nobody, {
      first: firstThatWaits,
      writes: [issued(process, 'm70000')],
      meanwhile,
    });
    expect(await found).toBeUndefined();
    await holder.release();
    expect(await process.tickets.load(project.id, 'm70000')).toBeDefined();
  });

  it('keeps its connection until the statement has ended, also where `meanwhile` throws', async () => {
    const process = await lonely();
    const meanwhile = () => {
      throw new Error('not now');
    };
    const writes = [issued(process, 'm70001')];
    await expect(process.store.appendTogether(nobody, { first, writes, meanwhile })).rejects.toThrow(
      'not now',
    );
    expect(await process.tickets.load(project.id, 'm70001')).toBeDefined();
  });
});
