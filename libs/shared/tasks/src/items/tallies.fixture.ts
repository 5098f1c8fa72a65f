import { isDeepStrictEqual } from 'node:util';
import { Injectable, Module } from '@nestjs/common';
import { type AuthPort, authPort } from '@scrip/contracts/auth';
import type { ItemTaskKind, OwnedAsyncAction } from '@scrip/contracts/operations';
import { topics } from '@scrip/contracts/registry';
import { embeddedEdge } from '@scrip/edge';
import {
  type IdSource,
  type RequestContext,
  Secret,
  derivedIds,
  internalContext,
  isRefused,
  notFound,
  randomIds,
  refuse,
} from '@scrip/kernel';
import { servePort } from '@scrip/rpc';
import { bootScrip, readSettings, type RunningApp, ScripLogger } from '@scrip/service';
import { createDatabase, projectOf, waitUntil } from '@scrip/testing';
import type { DataSource, EntityManager, MigrationInterface, QueryRunner } from 'typeorm';
import { InternalContexts } from '../internal-contexts';
import { CreateErasedNames1800000002700 } from '../migrations/create-erased-names.migration';
import { CreateTaskBatches1797100000001 } from '../migrations/create-task-batches.migration';
import { CreateTasks1797100000000 } from '../migrations/create-tasks.migration';
import { TaskJobs } from '../task/task-jobs';
import { tasksOfContext } from '../tasks-of-context';
import { batchKeysColumn } from './batch.table';
import type { ItemOutcome, ItemTask, TaskInput } from './item-task';
import { ItemTasks } from './item-tasks';

/** Something to be counted. `trouble`: what the item does instead. */
export interface Tally {
  name: string;
  trouble?: 'refused' | 'thrown';
}

export const project = projectOf();
export const caller: RequestContext = internalContext(project);

/** Inputs of so many names. */
export const named = (prefix: string, count: number): TaskInput<Tally>[] =>
  Array.from({ length: count }, (_, index) => ({ item: { name: `${prefix} ${index}` } }));

/** What a customer of that source id is known by. */
export const keyOf = (name: string): string => `key of ${name}`;

const expectSame = (prepared: readonly Tally[] | undefined, items: readonly Tally[]): void => {
  if (!isDeepStrictEqual(prepared, items)) throw new Error('prepared for other items');
};

/** Adds one to the tally of each item, or `by`. */
@Injectable()
export class CountTallies implements ItemTask<Tally, { by: number }> {
  readonly kind: ItemTaskKind = 'CUSTOMERS.BULK_UPDATE';
  readonly identifiedBy = 'source_id';
  readonly identifiesCustomers = true;

  identifierOf({ name }: Tally): string {
    return name;
  }

  customersOf(_projectId: string, input: TaskInput<Tally>): string[] {
    return 'item' in input ? [keyOf(input.item.name)] : [];
  }

  async carryOut(
    manager: EntityManager,
    _context: RequestContext,
    items: readonly Tally[],
    { by }: { by: number },
  ): Promise<ItemOutcome[]> {
    const good = items.filter(({ trouble }) => trouble !== 'refused');
    await manager.query(
      `INSERT INTO tallies SELECT n, count(*) * $2 FROM unnest($1::text[]) n GROUP BY n
       ON CONFLICT (name) DO UPDATE SET count = tallies.count + excluded.count`,
      [good.map(({ name }) => name), by],
    );
    if (good.some(({ trouble }) => trouble === 'thrown')) throw new Error('this one breaks');
    return items.map(({ trouble }) =>
      trouble === 'refused'
        ? {
            found: false,
            updated: false,
            failure: {
              key: 'invalid_payload',
              message: 'Invalid payload',
              details: 'Not this one',
            },
          }
        : { found: false, updated: true },
    );
  }
}

/** The same with a message, and with what is prepared early: the names. */
@Injectable()
export class ImportTallies extends CountTallies {
  override readonly kind: ItemTaskKind = 'CUSTOMERS.IMPORT_CSV';
  readonly preparesEarly = true;

  async prepare(_context: RequestContext, items: readonly Tally[]): Promise<readonly Tally[]> {
    return items;
  }

  preparedFor(items: readonly Tally[], index: number): readonly Tally[] {
    return items.slice(index, index + 1);
  }

  override carryOut(
    manager: EntityManager,
    context: RequestContext,
    items: readonly Tally[],
    shared: { by: number },
    prepared?: readonly Tally[],
  ): Promise<ItemOutcome[]> {
    expectSame(prepared, items);
    return super.carryOut(manager, context, items, shared);
  }

  messageOf(done: number, failed: number): string {
    return `${done} counted, ${failed} not.`;
  }
}

/** The same; chunks without a name in common are carried out side by side. */
@Injectable()
export class CountApart extends ImportTallies {
  override readonly kind: ItemTaskKind = 'CUSTOMERS.METADATA_UPDATE';

  recordsOf(items: readonly Tally[]): ReadonlySet<string> {
    return new Set(items.map(({ name }) => name));
  }
}

@Injectable()
class OneProject implements AuthPort {
  authenticate: AuthPort['authenticate'] = async () => refuse('unauthorized');
  loadProject: AuthPort['loadProject'] = async (_, { project_id }) =>
    project_id === project.id ? project : notFound('project', project_id);
  loadManagedProject: AuthPort['loadManagedProject'] = this.loadProject;
  loadMetadataSchemas: AuthPort['loadMetadataSchemas'] = async () => ({ schemas: [] });
  loadLocations: AuthPort['loadLocations'] = async () => ({ locations: [] });
  keepLocations: AuthPort['keepLocations'] = async () => ({ locations: [] });
  restoreLocations: AuthPort['restoreLocations'] = async () => ({ renamed: [], created: [] });
  useLocations: AuthPort['useLocations'] = async () => ({ unknown: [] });
  enterAudit: AuthPort['enterAudit'] = async () => ({ told: 0 });
  countCalls: AuthPort['countCalls'] = async () => ({ calls: [] });
  loadStackingRules: AuthPort['loadStackingRules'] = async () => ({ version: 0, settings: null });
  releaseCategory: AuthPort['releaseCategory'] = async () => ({ removed: false });
}

class CreateTallies1797100000002 implements MigrationInterface {
  up(runner: QueryRunner): Promise<void> {
    return runner.query('CREATE TABLE tallies (name text PRIMARY KEY, count bigint NOT NULL)');
  }
  down(runner: QueryRunner): Promise<void> {
    return runner.query('DROP TABLE tallies');
  }
}

@Module({ providers: [servePort(authPort, OneProject)] })
class AuthModule {}

const tasks = tasksOfContext({
  context: 'campaigns',
  topic: topics.campaignTask,
  group: 'campaigns.tasks',
  itemTasks: [CountTallies, ImportTallies, CountApart],
});

@Module({ controllers: tasks.controllers, providers: [...tasks.providers, InternalContexts] })
class TalliesModule {}

type TallyKind = 'import' | 'apart';

/** A context that counts names by tasks. */
export interface TalliesFixture {
  running: RunningApp;
  database: DataSource;
  items: ItemTasks;
  get<T>(type: abstract new (...args: never[]) => T): T;
  /** Orders a task and returns its id. */
  order(
    inputs: Iterable<TaskInput<Tally>>,
    how?: { by?: number; kind?: TallyKind; ids?: IdSource },
  ): Promise<string>;
  task(id: string): Promise<OwnedAsyncAction>;
  /** Waits for the end of a task and returns it. */
  ended(id: string): Promise<OwnedAsyncAction>;
  tallies(): Promise<Record<string, number>>;
  /** Of the names that begin with a prefix and a space. */
  countsOf(prefix: string): Promise<number[]>;
}

/** Boots it; `databaseUrl` to boot again on one database. */
export const bootTallies = async (databaseUrl?: string): Promise<TalliesFixture> => {
  const running = await bootScrip({
    contexts: [
      { name: 'auth', module: AuthModule, migrations: [] },
      {
        name: 'campaigns',
        module: TalliesModule,
        migrations: [
          CreateTasks1797100000000,
          CreateTaskBatches1797100000001,
          CreateTallies1797100000002,
          CreateErasedNames1800000002700,
        ],
        sealed: [batchKeysColumn],
        jobs: true,
      },
    ],
    config: {
      ...readSettings({ SCRIP_PORT: '0' }),
      masterKey: new Secret(Buffer.alloc(32, 7).toString('base64')),
      databaseUrl: new Secret(databaseUrl ?? (await createDatabase('tallies'))),
    },
    edge: embeddedEdge,
    logger: new ScripLogger({ level: 'silent' }),
  });
  const get: TalliesFixture['get'] = (type) => running.app.get(type, { strict: false });
  const database = running.app.get<DataSource>('campaignsDataSource', { strict: false });
  const items = get(ItemTasks);
  const task = async (id: string): Promise<OwnedAsyncAction> => {
    const found = await items.find(caller, id);
    if (isRefused(found)) throw new Error(found.details);
    return found;
  };
  const tallies = async () => {
    const rows = await database.query<{ name: string; count: string }[]>('SELECT name, count FROM tallies');
    return Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)]));
  };
  return {
    running,
    database,
    items,
    get,
    task,
    order: async (inputs, { by = 1, kind, ids = randomIds } = {}) => {
      const of = get(kind === 'apart' ? CountApart : kind === 'import' ? ImportTallies : CountTallies);
      return (await items.enqueue(caller, ids, of, inputs, { by })).async_action_id;
    },
    ended: async (id) => {
      await waitUntil(async () => ['DONE', 'FAILED'].includes((await task(id)).status), {
        what: `the end of ${id}`,
      });
      return task(id);
    },
    tallies,
    countsOf: async (prefix) =>
      Object.entries(await tallies())
        .filter(([name]) => name.startsWith(`${prefix} `))
        .map(([, count]) => count),
  };
};

/** Tasks that no job carries out. */
export interface HeldTasks {
  order(inputs: TaskInput<Tally>[], kind?: TallyKind): Promise<string>;
  /** Whether the event of a task was heard: no job will be added for it any more. */
  isHeard(id: string): boolean;
  /** Lets jobs carry out a task that was held. */
  release(id: string): void;
}

/** Keeps the jobs of a fixture from tasks that are ordered by this. */
export const holdTasks = (fixture: TalliesFixture): HeldTasks => {
  const [held, heard] = [new Set<string>(), new Set<string>()];
  const jobs = fixture.get(TaskJobs);
  const { add } = jobs;
  jest.spyOn(jobs, 'add').mockImplementation(async (added, manager) => {
    const others = added.filter(({ id }) => !held.has(id));
    await add.call(jobs, others, manager);
    // The call that orders a task adds its job without a transaction, before the consumer hears of it.
    if (manager) for (const { id } of added) if (held.has(id)) heard.add(id);
  });
  return {
    order: async (inputs, kind) => {
      const ids = derivedIds({ createdAt: new Date(), commandId: `held ${held.size}` });
      held.add(ids.next('aa_c', 'async-action'));
      return fixture.order(inputs, { ids, ...(kind && { kind }) });
    },
    isHeard: (id) => heard.has(id),
    release: (id) => void held.delete(id),
  };
};
