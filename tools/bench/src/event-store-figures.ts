import {
  type AggregateDefinition,
  type AggregateStore,
  EventStore,
  PreparingClient,
  eventStoreMigrations,
  stateTableColumns,
} from '@scrip/event-store';
import { internalContext } from '@scrip/kernel';
import { projectOf } from '@scrip/testing';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';

/** A measured figure of the event store, without HTTP. `least`: the lowest accepted value; absent without a bar. */
export interface StoreFigure {
  name: string;
  perSecond: number;
  least?: number;
  /** Milliseconds that one caller waited; absent for bulk work. */
  p50Ms?: number;
  p95Ms?: number;
  /** False when the stored count differs from the answers. */
  exact: boolean;
}

interface Counter {
  name: string;
  count: number;
}

type CounterEvent =
  | { type: 'CounterOpened'; data: { name: string } }
  | { type: 'CounterRaised'; data: { by: string; redeemed_quantity: number; note: string } };

class CreateCounters1700000000001 implements MigrationInterface {
  readonly name = 'CreateCounters1700000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE counters (${stateTableColumns}, name text COLLATE "C" NOT NULL, UNIQUE (project_id, name));
      CREATE TABLE projected (project_id text, stream_id text, count bigint, PRIMARY KEY (project_id, stream_id))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE projected, counters');
  }
}

const definition: AggregateDefinition<Counter, CounterEvent> = {
  aggregate: 'counter',
  table: 'counters',
  evolve: (counter, event) =>
    event.type === 'CounterOpened'
      ? { name: event.data.name, count: 0 }
      : { ...counter!, count: counter!.count + 1 },
  columns: { name: { type: 'text', of: ({ name }) => name } },
};

const project = projectOf({ id: 'proj_bench' });

const context = internalContext(project);
const schema = 'bench_counters';

interface Bench {
  dataSource: DataSource;
  store: EventStore;
  counters: AggregateStore<Counter, CounterEvent>;
}

const withStore = async <T>(databaseUrl: string, measure: (bench: Bench) => Promise<T>): Promise<T> => {
  const dataSource = await new DataSource({
    type: 'postgres',
    url: databaseUrl,
    schema,
    poolSize: 16,
    migrations: [...eventStoreMigrations, CreateCounters1700000000001],
    extra: { Client: PreparingClient, options: `-c search_path=${schema}` },
  }).initialize();
  try {
    await dataSource.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema}`);
    await dataSource.runMigrations();
    const store = new EventStore('bench', dataSource);
    await store.start();
    return await measure({ dataSource, store, counters: store.aggregate(definition) });
  } finally {
    await dataSource.destroy();
  }
};

const raise = (streamId: string, by: string) => ({
  context,
  streamId,
  decide: (counter: Counter | undefined) => ({
    events: [
      {
        type: 'CounterRaised' as const,
        data: {
          by,
          redeemed_quantity: counter!.count + 1,
          note: 'as long as what a redemption says of itself',
        },
      },
    ],
    answer: counter!.count + 1,
  }),
});

const opened = (index: number) => ({
  streamId: `counter_${String(index).padStart(6, '0')}`,
  events: [{ type: 'CounterOpened' as const, data: { name: `n${index}` } }],
});

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

const decisions = (
  databaseUrl: string,
  name: string,
  streams: number,
  callersEach: number,
  seconds: number,
  least?: number,
) =>
  withStore(databaseUrl, async ({ counters }): Promise<StoreFigure> => {
    const items = Array.from({ length: streams }, (_, index) => opened(index));
    await counters.createMany(null, context, items);
    let answered = 0;
    let latencies: number[] = [];
    const run = async (ms: number) => {
      const endAt = performance.now() + ms;
      const caller = async (streamId: string, by: string) => {
        while (performance.now() < endAt) {
          const from = performance.now();
          await counters.execute(raise(streamId, by));
          latencies.push(performance.now() - from);
          answered += 1;
        }
      };
      await Promise.all(
        items.flatMap(({ streamId }) =>
          Array.from({ length: callersEach }, (_, index) => caller(streamId, `caller_${index}`)),
        ),
      );
    };
    await run(1_000);
    latencies = [];
    const from = performance.now();
    await run(seconds * 1_000);
    const perSecond = (latencies.length * 1_000) / (performance.now() - from);
    const states = await counters.loadMany(
      project.id,
      items.map(({ streamId }) => streamId),
    );
    const counted = [...states.values()].reduce((sum, { state }) => sum + state.count, 0);
    const sorted = latencies.sort((a, b) => a - b);
    return {
      name,
      perSecond,
      ...(least === undefined ? {} : { least }),
      p50Ms: percentile(sorted, 0.5),
      p95Ms: percentile(sorted, 0.95),
      exact: counted === answered,
    };
  });

/** Decisions on few, one and many streams, each caller waiting for its answer before the next. */
export const decisionFigures = async (databaseUrl: string, seconds = 5): Promise<StoreFigure[]> => [
  await decisions(databaseUrl, '16 streams with 16 callers, one each', 16, 1, seconds, 7_500),
  await decisions(databaseUrl, '16 streams with 16 callers each', 16, 16, seconds),
  await decisions(databaseUrl, 'one stream with 64 callers', 1, 64, seconds, 22_000),
  await decisions(databaseUrl, '1,000 streams with one caller each', 1_000, 1, seconds, 12_000),
];

const bulkOf = 100_000;

/** Bulk creation of 100,000 streams, reading their events, and a projection of them that moves its own position. */
export const bulkFigures = (databaseUrl: string): Promise<StoreFigure[]> =>
  withStore(databaseUrl, async ({ dataSource, store, counters }) => {
    const items = Array.from({ length: bulkOf }, (_, index) => opened(index));
    const figure = async (
      name: string,
      work: () => Promise<number>,
      least?: number,
    ): Promise<StoreFigure> => {
      const from = performance.now();
      const done = await work();
      const perSecond = (done * 1_000) / (performance.now() - from);
      return { name, perSecond, ...(least === undefined ? {} : { least }), exact: done === bulkOf };
    };
    const readAll = async (handle: (events: Awaited<ReturnType<EventStore['readLog']>>) => Promise<void>) => {
      let after: string | null = null;
      let count = 0;
      for (;;) {
        const events = await store.readLog({ after, limit: 1_000, aggregates: ['counter'] });
        if (events.length === 0) return count;
        await handle(events);
        count += events.length;
        after = events.at(-1)!.position;
      }
    };
    const project = (events: Awaited<ReturnType<EventStore['readLog']>>) =>
      dataSource.transaction(async (manager) => {
        await manager.query(
          `INSERT INTO projected SELECT p, s, 1 FROM unnest($1::text[], $2::text[]) AS x(p, s)
           ON CONFLICT (project_id, stream_id) DO UPDATE SET count = projected.count + 1`,
          [events.map((event) => event.projectId), events.map((event) => event.streamId)],
        );
      });
    return [
      await figure(
        'bulk of 100,000 streams with an event each',
        async () => {
          await counters.createMany(null, context, items);
          return Number((await dataSource.query('SELECT count(*) FROM counters'))[0].count);
        },
        33_000,
      ),
      await figure('reading the log', () => readAll(() => Promise.resolve())),
      await figure('a projection of the log', () => readAll(project), 15_000),
    ];
  });
