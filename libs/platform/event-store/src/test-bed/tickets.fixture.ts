import { internalContext, type Refusal, type RequestContext, refuse } from '@scrip/kernel';
import { preparedDatabase, projectOf } from '@scrip/testing';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import {
  type AggregateDefinition,
  type AggregateStore,
  type Command,
  EventStore,
  PreparingClient,
  type StoreLimits,
  defaultLimits,
  eventStoreMigrations,
  type RowChange,
  stateTableColumns,
} from '../index';

/** A ticket can be taken a limited number of times: the smallest aggregate that can be wrong under concurrency. */
export interface Ticket {
  code: string;
  limit: number;
  taken: number;
}

export type TicketEvent =
  | { type: 'TicketIssued'; data: { code: string; limit: number } }
  | { type: 'TicketTaken'; data: { by: string } }
  | { type: 'TicketReturned'; data: { by: string } };

export class CreateTickets1700000000001 implements MigrationInterface {
  readonly name = 'CreateTickets1700000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tickets (${stateTableColumns}, code text COLLATE "C" NOT NULL);
      CREATE UNIQUE INDEX tickets_code ON tickets (project_id, code);
      CREATE TABLE takings (
        source_id text COLLATE "C" PRIMARY KEY,
        state text NOT NULL,
        details jsonb,
        taken_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE TABLE buckets (
        project_id text COLLATE "C" NOT NULL,
        ticket_id text COLLATE "C" NOT NULL,
        day date NOT NULL,
        points bigint NOT NULL CHECK (points >= 0),
        note text,
        PRIMARY KEY (project_id, ticket_id, day)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE buckets, takings, tickets');
  }
}

export const ticketDefinition: AggregateDefinition<Ticket, TicketEvent> = {
  aggregate: 'ticket',
  table: 'tickets',
  evolve: (ticket, event) => {
    switch (event.type) {
      case 'TicketIssued':
        return { ...event.data, taken: 0 };
      case 'TicketTaken':
        return { ...ticket!, taken: ticket!.taken + 1 };
      case 'TicketReturned':
        return { ...ticket!, taken: ticket!.taken - 1 };
    }
  },
  columns: { code: { type: 'text', of: ({ code }) => code } },
  conflicts: { tickets_code: ({ code }) => refuse('duplicate_code', code) },
};

export const project = projectOf();

/** A caller who waits for `ms`. */
export const waiting = (ms: number): RequestContext => ({
  ...internalContext(project, 'v-1'),
  deadlineAt: Date.now() + ms,
});

export const nobody = internalContext(project, 'v-1');

type TicketCommand<A> = Command<Ticket, TicketEvent, A>;

export const issue = (streamId: string, limit = 1_000_000, code = streamId): TicketCommand<string> => ({
  context: nobody,
  streamId,
  decide: (ticket) =>
    ticket
      ? refuse('ticket_exists')
      : { events: [{ type: 'TicketIssued', data: { code, limit } }], answer: streamId },
});

/** Answers the number of the taking, from 1. */
export const take = (
  streamId: string,
  by: string,
  more: Partial<TicketCommand<number>> & { rows?: RowChange[] } = {},
): TicketCommand<number> => ({
  context: nobody,
  streamId,
  decide: (ticket) => {
    if (!ticket) return refuse('not_found');
    if (ticket.taken >= ticket.limit) return refuse('quantity_exceeded');
    return {
      events: [{ type: 'TicketTaken', data: { by } }],
      rows: more.rows ?? [],
      answer: ticket.taken + 1,
    };
  },
  ...more,
});

export const giveBack = (streamId: string, by: string): TicketCommand<number> => ({
  context: nobody,
  streamId,
  decide: (ticket) => ({ events: [{ type: 'TicketReturned', data: { by } }], answer: ticket!.taken - 1 }),
});

/** One process: a DataSource with its pool, an event store on it. */
export interface Process {
  dataSource: DataSource;
  store: EventStore;
  tickets: AggregateStore<Ticket, TicketEvent>;
}

/** What the events after a ticket's first say, in their order. */
export const takingsOf = async ({ store }: Process, streamId: string): Promise<unknown[]> => {
  const [, ...later] = await store.readStream('ticket', project.id, streamId);
  return later.map(({ data }) => data);
};

export const schema = 'tickets_service';

export const connect = async (url: string, poolSize = 16, answerMs?: number): Promise<DataSource> =>
  new DataSource({
    type: 'postgres',
    url,
    schema,
    poolSize,
    migrations: [...eventStoreMigrations, CreateTickets1700000000001],
    extra: { Client: PreparingClient, options: `-c search_path=${schema}`, answerMs },
  }).initialize();

const migrate = async (url: string): Promise<void> => {
  const dataSource = await connect(url, 1);
  await dataSource.query(`CREATE SCHEMA ${schema}`);
  await dataSource.runMigrations();
  await dataSource.destroy();
};

/** The processes of one suite, all on one new database. */
export class Processes {
  private readonly open: DataSource[] = [];
  private constructor(readonly url: string) {}

  static async start(name: string): Promise<Processes> {
    return new Processes(await preparedDatabase('tickets', migrate, name));
  }

  async process(
    options: { url?: string; poolSize?: number; limits?: StoreLimits; answerMs?: number } = {},
  ): Promise<Process> {
    const dataSource = await this.connect(options.url ?? this.url, options.poolSize ?? 16, options.answerMs);
    const store = new EventStore('tickets', dataSource, options.limits);
    await store.start();
    return { dataSource, store, tickets: store.aggregate(ticketDefinition) };
  }

  async connect(url: string, poolSize: number, answerMs?: number): Promise<DataSource> {
    const dataSource = await connect(url, poolSize, answerMs);
    this.open.push(dataSource);
    return dataSource;
  }

  async stop(): Promise<void> {
    await Promise.all(this.open.map((dataSource) => dataSource.destroy()));
  }
}

/** Every write goes by itself, however many are ready: the statement of one stream. */
export const unmerged: StoreLimits = {
  ...defaultLimits,
  writer: { ...defaultLimits.writer, mergeFrom: Number.POSITIVE_INFINITY },
};

/** Every write that may be merged is written by the statement for several streams, also when it is the only one. */
export const merged: StoreLimits = {
  ...defaultLimits,
  writer: { ...defaultLimits.writer, mergeFrom: 1 },
};

/** Both ways a write can go, for suites whose promises hold for both. */
export const bothWays: [string, StoreLimits][] = [
  ['by itself', unmerged],
  ['in a merged statement', merged],
];

export const refusals = (answers: readonly (number | Refusal)[]): Refusal[] =>
  answers.filter((answer): answer is Refusal => typeof answer !== 'number');
