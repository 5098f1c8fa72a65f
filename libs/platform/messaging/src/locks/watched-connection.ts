import { poolOf } from '@scrip/event-store';
import { afterBeats } from '@scrip/kernel';
import type { Socket } from 'node:net';
import { Client, type ClientConfig, escapeIdentifier } from 'pg';
import type { DataSource } from 'typeorm';
import { pause } from '../partition/pause';
import { SerialQueue } from '../partition/serial-queue';

/** How often the server is asked whether it is there, and how long it may take to answer. */
export interface WatchTimes {
  checkMs: number;
  answerMs: number;
}

const usualTimes: WatchTimes = { checkMs: 1_000, answerMs: 5_000 };
/** An answer is waited for in beats of this process: after it stood still, the answer may lie unread. */
const beatsOfAnswer = 8;

/** The settings that the connections of a pool have, for one beside it. */
export const settingsOf = (database: DataSource): ClientConfig => poolOf(database).options;

/** A connection of its own, for locks of its session. The server is asked again and again whether it is there: one that
 *  has ended without a word, or that cannot be reached any more, has released the locks or soon will. */
export class WatchedConnection {
  private readonly gone = new AbortController();
  private readonly turns = new SerialQueue();
  private readonly client: Client;
  private check: NodeJS.Timeout | undefined;

  constructor(
    settings: ClientConfig,
    private readonly times: WatchTimes = usualTimes,
  ) {
    this.client = new Client(settings);
    const gone = (): void => this.end();
    this.client.on('error', gone);
    this.client.on('end', gone);
  }

  /** Aborted the moment the connection is gone, or does not answer. */
  get lost(): AbortSignal {
    return this.gone.signal;
  }

  /** Throws what pg throws. */
  async open(): Promise<void> {
    await this.client.connect();
    this.check = setInterval(() => {
      this.query('SELECT 1', []).catch(() => undefined); // it is lost then, which is what `lost` tells
    }, this.times.checkMs).unref();
  }

  /** Runs one statement after another. Throws what the server answers, and when it does not answer in time; the
   *  connection is lost then. */
  query<Row extends object>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    return this.turns.run(() => this.queryNow<Row>(sql, values));
  }

  /** Calls `heard` at each notification on a channel until the connection ends. Throws as `query` does. */
  async listen(channel: string, heard: () => void): Promise<void> {
    this.client.on('notification', (notification) => {
      if (notification.channel === channel) heard();
    });
    await this.query(`LISTEN ${escapeIdentifier(channel)}`, []);
  }

  async close(): Promise<void> {
    if (this.gone.signal.aborted) return this.cut();
    this.end();
    const patience = pause(this.times.answerMs, new AbortController().signal);
    await Promise.race([this.client.end(), patience]).catch(() => undefined); // its end is all that is wanted
  }

  private end(): void {
    clearInterval(this.check);
    this.gone.abort();
  }

  /** Ends it without a word: a server that does not answer would be waited for. */
  private cut(): void {
    this.end();
    (this.client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
  }

  private async queryNow<Row extends object>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    if (this.gone.signal.aborted) throw new Error('the connection of the lock is gone');
    const { answerMs } = this.times;
    let answered: () => void = () => undefined;
    const late = new Promise<never>((_resolve, reject) => {
      answered = afterBeats({ beats: beatsOfAnswer, everyMs: answerMs / beatsOfAnswer }, () =>
        reject(new Error(`no answer within ${answerMs} ms`)),
      );
    });
    try {
      const { rows } = await Promise.race([this.client.query<Row>(sql, [...values]), late]);
      return rows;
    } catch (error) {
      this.cut();
      throw error;
    } finally {
      answered();
    }
  }
}
