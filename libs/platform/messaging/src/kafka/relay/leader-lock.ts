import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { WatchedConnection, settingsOf } from '../../locks/watched-connection';
import { errorText } from '../../parking/parked-keys';
import { pause } from '../../partition/pause';

/** Who holds it may publish. */
export interface Leadership {
  /** Aborted the moment the connection that holds the lock is gone, or does not answer. */
  readonly lost: AbortSignal;
  /** Runs a statement on that connection. Throws what the server answers, and when it does not answer in time; the
   *  leadership is lost then. */
  query<Row extends object>(sql: string, values: readonly unknown[]): Promise<Row[]>;
  /** Calls `heard` when a process that waits for the lead calls `tellLeader`. Throws as `query` does. */
  onTold(heard: () => void): Promise<void>;
  giveUp(): Promise<void>;
}

const retryMs = 500;

const lockSql = `SELECT pg_try_advisory_lock(hashtextextended('scrip.leader ' || $1, 0)) AS locked`;

/** One leader per name in a database: a session's advisory lock on a connection of its own. */
export class LeaderLock {
  private readonly log = new Logger(LeaderLock.name);
  /** The connection on which this process waits for the lead. */
  private waiting: WatchedConnection | undefined;

  constructor(
    private readonly database: DataSource,
    private readonly name: string,
  ) {}

  /** Waits until the lock is taken; answers undefined when `signal` aborted before. Never rejects. */
  async acquire(signal: AbortSignal): Promise<Leadership | undefined> {
    while (!signal.aborted) {
      const connection = new WatchedConnection(settingsOf(this.database));
      try {
        await connection.open();
        if (await this.wait(connection, signal)) return this.leadershipOf(connection);
      } catch (error) {
        this.log.warn(`cannot ask for the lead of ${this.name}: ${errorText(error)}`);
      }
      await connection.close();
      await pause(retryMs, signal);
    }
    return undefined;
  }

  /** Tells the process that leads. Throws what the database throws, and where this process does not wait for the lead. */
  async tellLeader(): Promise<void> {
    if (!this.waiting) throw new Error(`this process does not wait for the lead of ${this.name}`);
    await this.waiting.query('SELECT pg_notify($1, $2)', [this.channel, '']);
  }

  private get channel(): string {
    return `scrip.leader ${this.name}`;
  }

  private async wait(connection: WatchedConnection, signal: AbortSignal): Promise<boolean> {
    try {
      while (!signal.aborted) {
        const [row] = await connection.query<{ locked: boolean }>(lockSql, [this.name]);
        if (row?.locked) return !connection.lost.aborted;
        this.waiting = connection;
        await pause(retryMs, signal);
      }
      return false;
    } finally {
      this.waiting = undefined;
    }
  }

  private leadershipOf(connection: WatchedConnection): Leadership {
    return {
      lost: connection.lost,
      query: (sql, values) => connection.query(sql, values),
      onTold: (heard) => connection.listen(this.channel, heard),
      giveUp: () => connection.close(),
    };
  }
}
