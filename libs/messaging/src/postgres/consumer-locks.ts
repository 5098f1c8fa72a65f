import { Logger } from '@nestjs/common';
import type { PoolClient } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import { errorText } from '../parked-keys';
import { pause } from '../pause';

export interface LockOwner {
  /** This process consumes `name` from now on. */
  acquired(name: string): void;
  /** The locks are gone with their connection: others may consume these names now. */
  lost(names: readonly string[]): void;
}

const lockSql = `
  SELECT name FROM unnest($1::text[]) AS name WHERE pg_try_advisory_lock(hashtextextended('scrip.consumer ' || name, 0))`;

/** Decides which process consumes what: a session's advisory lock per name, all on one connection. The server frees
 *  them the moment that connection ends, so the locks of a process killed with -9 are free at once; others ask
 *  again every `retryMs`. Exactness does not rest on them but on the position rows; they keep two processes from
 *  doing the same work. */
export class ConsumerLocks {
  private readonly log = new Logger(ConsumerLocks.name);
  private readonly stopping = new AbortController();
  private readonly held = new Set<string>();
  private runner: QueryRunner | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly database: DataSource,
    private readonly names: readonly string[],
    private readonly owner: LockOwner,
    private readonly retryMs: number,
  ) {}

  /** Resolves after the first try for every lock; rejects when the database is not there. */
  async start(): Promise<void> {
    await this.connect();
    await this.acquire();
    this.running = this.keepTrying();
  }

  /** Gives all locks up. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    const { runner } = this;
    this.runner = undefined;
    if (!runner || runner.isReleased) return;
    // Back in the pool the session lives on, and would keep the locks.
    await runner.query('SELECT pg_advisory_unlock_all()').catch(() => undefined);
    await runner.release();
  }

  private async connect(): Promise<void> {
    const runner = this.database.createQueryRunner();
    const client = (await runner.connect()) as PoolClient;
    this.runner = runner;
    const gone = (): void => this.disconnected(runner);
    client.once('error', gone);
    client.once('end', gone);
  }

  private disconnected(runner: QueryRunner): void {
    if (this.runner !== runner) return;
    this.runner = undefined;
    const names = [...this.held];
    this.held.clear();
    if (this.stopping.signal.aborted) return;
    this.log.warn(`lost the connection that holds ${names.length} consumer locks`);
    this.owner.lost(names);
    void runner.release().catch(() => undefined);
  }

  private async keepTrying(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await pause(this.retryMs, this.stopping.signal);
      if (this.stopping.signal.aborted) return;
      try {
        if (!this.runner) await this.connect();
        await this.acquire();
      } catch (error) {
        this.log.warn(`cannot take consumer locks: ${errorText(error)}`);
      }
    }
  }

  private async acquire(): Promise<void> {
    const missing = this.names.filter((name) => !this.held.has(name));
    const { runner } = this;
    if (missing.length === 0 || !runner) return;
    const rows = (await runner.query(lockSql, [missing])) as { name: string }[];
    if (this.runner !== runner) return;
    for (const { name } of rows) {
      this.held.add(name);
      this.owner.acquired(name);
    }
  }
}
