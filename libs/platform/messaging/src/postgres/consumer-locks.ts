import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { WatchedConnection, type WatchTimes, settingsOf } from '../locks/watched-connection';
import { errorText } from '../parking/parked-keys';
import { pause } from '../partition/pause';

export interface LockOwner {
  /** This process consumes `name` from now on. */
  acquired(name: string): void;
  /** The locks are gone with their connection: others may consume these names now. */
  lost(names: readonly string[]): void;
}

const lockSql = `
  SELECT name FROM unnest($1::text[]) AS name WHERE pg_try_advisory_lock(hashtextextended('scrip.consumer ' || name, 0))`;

/** Decides which process consumes what: a session's advisory lock per name, all on one connection that is watched.
 *  The server frees them the moment that connection ends, so the locks of a process killed with -9 are free at once;
 *  others ask again every `retryMs`. Exactness does not rest on them but on the position rows; they keep two processes from
 *  doing the same work. */
export class ConsumerLocks {
  private readonly log = new Logger(ConsumerLocks.name);
  private readonly stopping = new AbortController();
  private readonly held = new Set<string>();
  private connection: WatchedConnection | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly database: DataSource,
    private readonly names: readonly string[],
    private readonly owner: LockOwner,
    private readonly retryMs: number,
    private readonly times?: WatchTimes,
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
    const { connection } = this;
    this.connection = undefined;
    await connection?.close();
  }

  private async connect(): Promise<void> {
    const connection = new WatchedConnection(settingsOf(this.database), this.times);
    await connection.open();
    this.connection = connection;
    connection.lost.addEventListener('abort', () => this.disconnected(connection));
    if (connection.lost.aborted) this.disconnected(connection);
  }

  private disconnected(connection: WatchedConnection): void {
    if (this.connection !== connection) return;
    this.connection = undefined;
    const names = [...this.held];
    this.held.clear();
    if (this.stopping.signal.aborted) return;
    this.log.warn(`lost the connection that holds ${names.length} consumer locks`);
    this.owner.lost(names);
    void connection.close();
  }

  private async keepTrying(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await pause(this.retryMs, this.stopping.signal);
      if (this.stopping.signal.aborted) return;
      try {
        if (!this.connection) await this.connect();
        await this.acquire();
      } catch (error) {
        this.log.warn(`cannot take consumer locks: ${errorText(error)}`);
      }
    }
  }

  private async acquire(): Promise<void> {
    const missing = this.names.filter((name) => !this.held.has(name));
    const { connection } = this;
    if (missing.length === 0 || !connection) return;
    const rows = await connection.query<{ name: string }>(lockSql, [missing]);
    if (this.connection !== connection) return;
    for (const { name } of rows) {
      this.held.add(name);
      this.owner.acquired(name);
    }
  }
}
