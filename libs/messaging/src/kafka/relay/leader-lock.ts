import { Logger } from '@nestjs/common';
import type { Socket } from 'node:net';
import { Client, type Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { errorText } from '../../parked-keys';
import { pause } from '../../pause';
import { TurnTaking } from '../../turn-taking';

/** Who holds it may publish. */
export interface Leadership {
  /** Aborted the moment the connection that holds the lock is gone, or does not answer. */
  readonly lost: AbortSignal;
  /** Runs a statement on that connection. Throws what the server answers, and when it does not answer in time; the
   *  leadership is lost then. */
  query<Row extends object>(sql: string, values: readonly unknown[]): Promise<Row[]>;
  giveUp(): Promise<void>;
}

const retryMs = 500;
const checkMs = 1_000;
const answerMs = 5_000;

const lockSql = `SELECT pg_try_advisory_lock(hashtextextended('scrip.leader ' || $1, 0)) AS locked`;

/** A connection of its own, which the server's end of it frees of its locks. */
class LockConnection {
  private readonly gone = new AbortController();
  private readonly turns = new TurnTaking();
  private readonly client: Client;

  constructor(database: DataSource) {
    // The same settings as the pool's connections have.
    this.client = new Client((database.driver as unknown as { master: Pool }).master.options);
    const gone = (): void => this.gone.abort();
    this.client.on('error', gone);
    this.client.on('end', gone);
  }

  get lost(): AbortSignal {
    return this.gone.signal;
  }

  async open(): Promise<void> {
    await this.client.connect();
  }

  query<Row extends object>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    return this.turns.run(() => this.queryNow<Row>(sql, values));
  }

  /** Ends it without a word: a server that does not answer would be waited for. */
  cut(): void {
    this.gone.abort();
    (this.client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
  }

  async close(): Promise<void> {
    if (this.gone.signal.aborted) return this.cut();
    this.gone.abort();
    const patience = pause(answerMs, new AbortController().signal);
    await Promise.race([this.client.end(), patience]).catch(() => undefined); // its end is all that is wanted
  }

  private async queryNow<Row extends object>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    if (this.gone.signal.aborted) throw new Error('the connection of the lock is gone');
    const answered = new AbortController();
    const late = pause(answerMs, answered.signal).then((): never => {
      throw new Error(`no answer within ${answerMs} ms`);
    });
    late.catch(() => undefined); // it loses the race as a rule
    try {
      const { rows } = await Promise.race([this.client.query<Row>(sql, [...values]), late]);
      return rows;
    } catch (error) {
      this.cut();
      throw error;
    } finally {
      answered.abort();
    }
  }
}

/** One leader per name in a database: a session's advisory lock on a connection of its own. */
export class LeaderLock {
  private readonly log = new Logger(LeaderLock.name);

  constructor(
    private readonly database: DataSource,
    private readonly name: string,
  ) {}

  /** Waits until the lock is taken; answers undefined when `signal` aborted before. Never rejects. */
  async acquire(signal: AbortSignal): Promise<Leadership | undefined> {
    while (!signal.aborted) {
      const connection = new LockConnection(this.database);
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

  private async wait(connection: LockConnection, signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      const [row] = await connection.query<{ locked: boolean }>(lockSql, [this.name]);
      if (row?.locked) return !connection.lost.aborted;
      await pause(retryMs, signal);
    }
    return false;
  }

  private leadershipOf(connection: LockConnection): Leadership {
    const check = setInterval(
      () => void connection.query('SELECT 1', []).catch(() => undefined),
      checkMs,
    ).unref();
    connection.lost.addEventListener('abort', () => clearInterval(check));
    return {
      lost: connection.lost,
      query: (sql, values) => connection.query(sql, values),
      giveUp: () => connection.close(),
    };
  }
}
