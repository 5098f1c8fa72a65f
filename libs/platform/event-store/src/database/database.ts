import type { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { classifyDatabaseError } from './database-error';
import { poolOf } from './pool-of';
import { connected, withClient } from './pooled-client';
import { verifyNewConnections } from './verified-connections';

/** One SQL text with its values. Texts are few: they depend on the shape of a write, not on its content. */
export interface Statement {
  text: string;
  values: readonly unknown[];
}

/** A pooled connection in use; `manager` is there when it was asked for. */
export interface Connection {
  client: PoolClient;
  manager?: EntityManager;
}

/** Runs a statement somewhere and answers its rows. */
export type RunStatement = <Row extends QueryResultRow>(statement: Statement) => Promise<Row[]>;

// What the server still does on such a connection is unknown: it must not go back to the pool.
const giveUp = (runner: QueryRunner, error: unknown): Promise<void> =>
  (
    runner as unknown as { releasePostgresConnection(error: unknown): Promise<void> }
  ).releasePostgresConnection(error);

/** The pool of a context's DataSource, used directly: what TypeORM does around a query costs as much as a small one. */
export class Database {
  private readonly pool: Pool;

  /** `dataSource` is connected. `identify` runs on each connection that its pool opens from now on, before anybody can
   *  use it, as another server may have answered; where it throws, the connection is closed. */
  constructor(
    readonly dataSource: DataSource,
    identify: (connection: Connection) => Promise<unknown>,
  ) {
    this.pool = poolOf(dataSource);
    verifyNewConnections(this.pool, identify);
  }

  /** Runs `work` on a connection of its own. Throws a `Fault` when none is to be had. */
  withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return withClient(this.pool, (client) => work({ client }));
  }

  /** As `withConnection`, with an EntityManager on the same connection. */
  async withManager<T>(work: (connection: Required<Connection>) => Promise<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    try {
      const client = (await connected(() => runner.connect())) as PoolClient;
      return await work({ client, manager: runner.manager });
    } catch (error) {
      if (classifyDatabaseError(error).kind === 'lost') await giveUp(runner, error);
      throw error;
    } finally {
      await runner.release();
    }
  }

  /** The connection that a caller's transaction runs on. */
  async connectionOf(manager: EntityManager): Promise<Connection> {
    if (!manager.queryRunner) throw new TypeError('the manager belongs to no transaction');
    return { client: (await manager.queryRunner.connect()) as PoolClient, manager };
  }

  /** Runs a statement on a connection that is in use. */
  run<Row extends QueryResultRow>(
    client: PoolClient,
    { text, values }: Statement,
  ): Promise<QueryResult<Row>> {
    return client.query<Row>(text, [...values]);
  }

  /** Runs one statement on any connection. */
  readonly query: RunStatement = <Row extends QueryResultRow>(statement: Statement): Promise<Row[]> =>
    this.withConnection(async ({ client }) => (await this.run<Row>(client, statement)).rows);

  /** Runs statements on one connection. */
  on(client: PoolClient): RunStatement {
    return async <Row extends QueryResultRow>(statement: Statement): Promise<Row[]> =>
      (await this.run<Row>(client, statement)).rows;
  }
}
