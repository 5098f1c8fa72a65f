import { Logger } from '@nestjs/common';
import { type EventStore, logStart, type StoredEvent } from '@scrip/event-store';
import type { DataSource } from 'typeorm';
import type { OutgoingEvent } from './event-publisher';
import { KafkaRelay } from './kafka-relay';
import type { Leadership } from './leader-lock';

const sent: string[][] = [];
let send: (streams: string[]) => Promise<void>;
let lead: Leadership;
/** Whether another process leads. */
let elsewhere: boolean;
let told: number;

jest.mock('./event-publisher', () => ({
  ...jest.requireActual<object>('./event-publisher'),
  EventPublisher: class {
    send(batch: readonly OutgoingEvent[]): Promise<void> {
      const streams = batch.map(({ event }) => event.streamId);
      sent.push(streams);
      return send(streams);
    }
    cutOff(): void {}
  },
}));
jest.mock('./leader-lock', () => ({
  LeaderLock: class {
    async acquire(signal: AbortSignal): Promise<Leadership | undefined> {
      if (elsewhere) await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return signal.aborted ? undefined : lead;
    }
    async tellLeader(): Promise<void> {
      told += 1;
    }
  },
}));
Logger.overrideLogger(false);

const event = (streamId: string, position: string): StoredEvent => ({
  id: `id-${position}`,
  type: 'NoteWritten',
  schemaVersion: 1,
  service: 'shop',
  aggregate: 'note',
  projectId: 'proj_1',
  streamId,
  version: 1,
  position,
  recordedAt: '2026-03-31T10:00:00.000Z',
  data: {},
  metadata: { correlation_id: 'v-1', channel: 'API' },
});

const kafka = {
  brokers: [],
  clientId: 'shop',
  partitions: 1,
  replicationFactor: 1,
  retentionMs: 1,
  messageBytesMax: 1e6,
};

describe('a relay', () => {
  let moves: unknown[];
  let lagsAskedBehind: unknown[];
  let relay: KafkaRelay;
  let committed: (() => void)[];

  beforeEach(() => {
    sent.length = 0;
    [elsewhere, told, committed] = [false, 0, []];
    moves = [];
    lagsAskedBehind = [];
    lead = {
      lost: new AbortController().signal,
      query: async <Row extends object>(sql: string, [, , to]: readonly unknown[]) => {
        if (sql.startsWith('UPDATE')) moves.push(to);
        return [{ position: logStart }] as unknown as Row[];
      },
      onTold: async () => undefined,
      giveUp: async () => undefined,
    };
    const log = [event('a', '1-700-1'), event('b', '1-700-2')];
    const store = {
      service: 'shop',
      onCommit: (listener: () => void) => {
        committed.push(listener);
        return () => void (committed = committed.filter((one) => one !== listener));
      },
      readPage: async ({ after }: { after: string }) => ({
        events: after === logStart ? log : [],
        more: false,
      }),
    };
    const database = {
      driver: { master: { on: () => undefined, options: {} } },
      query: async (sql: string, values: unknown[] = []) => {
        if (sql.includes('FROM events')) lagsAskedBehind.push(values);
        return sql.includes('FROM relay_positions') ? [{ position: '1-700-1' }] : [{ count: 0 }];
      },
    } as unknown as DataSource;
    relay = new KafkaRelay({ store: store as unknown as EventStore, database, kafka });
  });

  it('notes how far it came before it ends', async () => {
    let stopped: Promise<void> | undefined;
    send = async () => void (stopped = relay.stop());
    await relay.start();
    while (!stopped) await new Promise(setImmediate);
    await stopped;
    expect([sent, moves]).toEqual([[['a', 'b']], ['1-700-2']]);
  });

  it('does not note as sent what it still had to send when it was told to end', async () => {
    let stopped: Promise<void> | undefined;
    send = async (streams) => {
      if (streams.length > 1) throw Object.assign(new Error('too large'), { type: 'MESSAGE_TOO_LARGE' });
      stopped = relay.stop();
    };
    await relay.start();
    while (!stopped) await new Promise(setImmediate);
    await stopped;
    expect([sent, moves]).toEqual([[['a', 'b'], ['a']], []]);
  });

  it.each([
    ['another process that leads', true, 1],
    ['nobody while it leads itself', false, 0],
  ])('tells %s of commits', async (_whom, isElsewhere, times) => {
    elsewhere = isElsewhere;
    send = async () => undefined;
    await relay.start();
    while ((await relay.status()).leading === isElsewhere) await new Promise(setImmediate);
    for (const listener of committed) listener();
    await relay.stop();
    expect([told, committed]).toEqual([times, []]);
  });

  it('does not count the whole log as its lag while it looks for its place', async () => {
    const looks = new Promise<void>((resolve) => {
      lead = { ...lead, query: () => new Promise(() => resolve()) };
    });
    await relay.start();
    await looks;
    expect((await relay.status()).leading).toBe(true);
    expect(lagsAskedBehind).toEqual([[1, '700', '1']]);
  });

  it('still looks whether its position was set back when the clock of the machine was', async () => {
    send = async () => undefined;
    const { query } = lead;
    const verified = new Promise<void>((resolve) => {
      let looks = 0;
      lead = {
        ...lead,
        query: async <Row extends object>(sql: string, values: readonly unknown[]) => {
          if (sql.startsWith('SELECT') && (looks += 1) > 1) resolve();
          else if (looks === 1) jest.spyOn(Date, 'now').mockReturnValue(0); // after the relay has begun
          return query<Row>(sql, values);
        },
      };
    });
    await relay.start();
    await verified;
    jest.restoreAllMocks();
    await relay.stop();
  });
});
