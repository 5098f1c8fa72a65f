import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Payload } from '@nestjs/microservices';
import { type AggregateStore, EventStore } from '@scrip/event-store';
import { internalContext } from '@scrip/kernel';
import { Consumes, type EventBatch, KafkaEventTransport } from '@scrip/messaging';
import { startChild, waitUntil, projectOf } from '@scrip/testing';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { type Noted, kafkaOf, migrated, noteDefinition } from '../kafka-notes';
import { percentile } from '../load';
import { type Row, rateRow } from '../row';

const events = 100_000;
const wantedPerSecond = 15_000;
const trickle = { perSecond: 50, seconds: 10 };
const group = 'bench.notes';

const project = projectOf({ id: 'proj_bench' });

const context = internalContext(project);

const letters = (count: number): string =>
  [...randomBytes(count)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('');

const noted = (text: string, at: number): Noted => ({ type: 'NoteWritten', data: { text, at } });

const noteOf = (index: number): { streamId: string; events: Noted[] } => ({
  streamId: `note_${String(index).padStart(8, '0')}`,
  events: [noted('as long as what a redemption says of itself, and its amounts', 0)],
});

const writeRows = (batch: EventBatch): Promise<void> =>
  batch.commit(async (manager) => {
    await manager.query(
      `INSERT INTO projected (project_id, stream_id, version)
       SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])`,
      [
        batch.events.map(({ projectId }) => projectId),
        batch.events.map(({ streamId }) => streamId),
        batch.events.map(({ version }) => version),
      ],
    );
  });

/** Nest takes handlers from classes: this one serves the topic of one run. */
const moduleOf = (topic: string, applied: (batch: EventBatch) => void) => {
  @Controller()
  class Notes {
    @Consumes(topic, { group })
    async project(@Payload() batch: EventBatch): Promise<void> {
      await writeRows(batch);
      applied(batch);
    }
  }
  @Module({ controllers: [Notes] })
  class Projection {}
  return Projection;
};

/** At a low rate: from the append until the projection has the event. Milliseconds. */
const trickled = async (
  notes: AggregateStore<{ text: string }, Noted>,
  latenciesMs: number[],
): Promise<number[]> => {
  latenciesMs.length = 0;
  const total = trickle.perSecond * trickle.seconds;
  const appends: Promise<unknown>[] = [];
  for (let sent = 0; sent < total; sent += 1) {
    const decide = () => ({ events: [noted('late', Date.now())], answer: null });
    appends.push(notes.execute({ context, streamId: `trickle_${sent}`, decide }));
    await new Promise((resolve) => setTimeout(resolve, 1_000 / trickle.perSecond));
  }
  await Promise.all(appends);
  await waitUntil(() => latenciesMs.length >= total, { what: 'every event', timeoutMs: 30_000 });
  return latenciesMs.sort((a, b) => a - b);
};

const rows = async (reader: DataSource): Promise<number> => {
  const [count] = await reader.query<{ rows: number }[]>(`SELECT count(*)::int AS rows FROM projected`);
  return count?.rows ?? 0;
};

/** 100,000 appended events through a relay in a process of its own and one projection group in this one, beside
 *  PostgreSQL and the broker; then the delay of single events at a low rate, when nothing wakes the relay. */
export const kafkaThroughputRows = async (databaseUrl: string, brokers: string): Promise<Row[]> => {
  const service = `bench-${letters(8)}`;
  const shop = await migrated(databaseUrl, 'bench_shop');
  const reader = await migrated(databaseUrl, 'bench_reader');
  const store = new EventStore(service, shop);
  await store.start();
  const notes = store.aggregate(noteDefinition);
  const items = Array.from({ length: events }, (_, index) => noteOf(index));
  await notes.createMany(null, context, items);
  const head = await store.head();

  let projected = 0;
  const latenciesMs: number[] = [];
  const transport = new KafkaEventTransport({ kafka: kafkaOf(brokers, service), databaseOf: () => reader });
  const module = moduleOf(`scrip.${service}.note.v1`, (batch) => {
    projected += batch.events.length;
    for (const { data } of batch.events) latenciesMs.push(Date.now() - (data as Noted['data']).at);
  });
  const app = await NestFactory.createMicroservice(module, { strategy: transport, logger: false });
  await app.listen();
  const relay = await startChild(
    join(__dirname, '../kafka-relay-process.js'),
    { DATABASE_URL: databaseUrl, BENCH_BROKERS: brokers, BENCH_SERVICE: service },
    /relaying (\S+)/,
  );
  try {
    const from = performance.now();
    const perSecond = async (reached: () => boolean | Promise<boolean>, what: string): Promise<number> => {
      await waitUntil(reached, { what, timeoutMs: 120_000, intervalMs: 20 });
      return (events * 1_000) / (performance.now() - from);
    };
    const relayed = async (): Promise<boolean> => {
      const [row] = await shop.query<{ position: string }[]>(`SELECT position FROM relay_positions`);
      return row?.position === head;
    };
    const [relayRate, projectionRate] = await Promise.all([
      perSecond(relayed, 'the relay'),
      perSecond(() => projected >= events, 'the projection'),
    ]);
    const waits = await trickled(notes, latenciesMs);
    const exact = (await rows(reader)) === events + waits.length;
    const projection = rateRow('events → Kafka → one projection group', projectionRate, wantedPerSecond);
    const measured = projection.measured + (exact ? '' : ', INEXACT');
    return [
      rateRow('events → Kafka (relay), beside the projection', relayRate, wantedPerSecond),
      { ...projection, measured, met: projection.met && exact },
      {
        work: `event appended → applied through Kafka, ${trickle.perSecond}/s`,
        measured: `p50 ${percentile(waits, 0.5).toFixed(0)} ms, p95 ${percentile(waits, 0.95).toFixed(0)} ms`,
        baseline: '–',
        bar: '–',
        met: null,
      },
    ];
  } finally {
    await relay.stop();
    await app.close();
    await Promise.all([shop.destroy(), reader.destroy()]);
  }
};
