import { type RequestContext, newEventId } from '@scrip/kernel';
import type { EntityManager } from 'typeorm';
import type { AggregateDefinition, NewStream, RowChange, StreamChange } from '../aggregate/aggregate';
import { type BulkRow, type BulkWrite, change, creation } from './bulk-statement';
import { ofAnyLength } from '../database/any-length';
import type { Connection, Database } from '../database/database';
import { eventIdOf } from '../aggregate/event-id';
import { encodeEvent, encodeMetadata } from '../aggregate/encoded-event';
import { type EventData, metadataOf } from '../aggregate/event';
import { stateAfter } from '../aggregate/fold';
import { type Snapshot, lastSnapshot, snapshotVersion } from '../aggregate/snapshot';
import { type CountedPart, runParts } from './stream-writes';

const streamsMax = 5_000;
const bytesMax = 4_000_000;
const chunksAtOnce = 2;

// Named one by one: to spread each of a large set costs as much as to encode its events.
const asNewStream = <State, Event extends EventData>({
  streamId,
  events,
  rows = [],
  context,
  eventIds,
}: NewStream<Event>): StreamChange<State, Event> => {
  const item = {
    streamId,
    events,
    rows,
    expectedVersion: 0,
    expectedEpoch: 0,
    expectedBasis: null,
    state: undefined,
  };
  return context || eventIds ? { ...item, context, eventIds } : item;
};

const inTransaction = async ({ client }: Connection, work: () => Promise<void>): Promise<void> => {
  await client.query('BEGIN');
  try {
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined); // the first error tells more
    throw error;
  }
};

/** Appends to many streams by few statements, without mailboxes. */
export class BulkAppend<State, Event extends EventData> {
  constructor(
    private readonly definition: AggregateDefinition<State, Event>,
    private readonly database: Database,
    private readonly committed: () => void,
  ) {}

  async create(
    manager: EntityManager | null,
    context: RequestContext,
    items: readonly NewStream<Event>[],
  ): Promise<void> {
    const parts = this.creating(context, items);
    if (manager) {
      const connection = await this.database.connectionOf(manager);
      for (const part of parts) await runParts(connection, [part]);
      return;
    }
    const workers = Array.from({ length: chunksAtOnce }, () => this.createAll(parts));
    // Throws only after all workers have ended, so that none still writes when the caller sees the error.
    const failed = (await Promise.allSettled(workers)).find((worker) => worker.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** All or none: one statement, or a transaction where one does not hold them. */
  async createTogether(context: RequestContext, items: readonly NewStream<Event>[]): Promise<void> {
    const parts = [...this.creating(context, items)];
    await this.database.withConnection(async (connection) => {
      const write = async () => {
        for (const part of parts) await runParts(connection, [part]);
      };
      await (parts.length > 1 ? inTransaction(connection, write) : write());
    });
    this.committed();
  }

  async change(
    manager: EntityManager | null,
    context: RequestContext,
    items: readonly StreamChange<State, Event>[],
  ): Promise<void> {
    if (manager) return this.changeOn(await this.database.connectionOf(manager), context, items);
    await this.database.withConnection((connection) =>
      inTransaction(connection, () => this.changeOn(connection, context, items)),
    );
    this.committed();
  }

  /** The beginnings of new streams as parts of statements, folded and encoded as they are asked for. */
  *creating(context: RequestContext, items: readonly NewStream<Event>[]): Generator<CountedPart> {
    const changes = items.map((item) => asNewStream<State, Event>(item));
    for (const chunk of this.chunks(context, changes))
      yield { part: creation(this.definition, chunk), streams: chunk.rows.length };
  }

  /** As `creating`, of more events for streams that exist. */
  *changing(context: RequestContext, items: readonly StreamChange<State, Event>[]): Generator<CountedPart> {
    for (const chunk of this.chunks(context, items))
      yield { part: change(this.definition, chunk), streams: chunk.rows.length };
  }

  private async createAll(parts: Iterable<CountedPart>): Promise<void> {
    for (const part of parts) {
      await this.database.withConnection((connection) => runParts(connection, [part]));
      this.committed();
    }
  }

  private async changeOn(
    connection: Connection,
    context: RequestContext,
    items: readonly StreamChange<State, Event>[],
  ): Promise<void> {
    // One global order of locks, or two such calls would deadlock.
    await connection.client.query(
      `SELECT 1 FROM ${this.definition.table} WHERE project_id = $1 AND id = ANY(${ofAnyLength('$2')}) ORDER BY id FOR NO KEY UPDATE`,
      [context.project.id, items.map(({ streamId }) => streamId)],
    );
    for (const part of this.changing(context, items)) await runParts(connection, [part]);
  }

  /** Folds and encodes chunk by chunk, as the chunks are asked for. */
  private *chunks(
    context: RequestContext,
    items: readonly StreamChange<State, Event>[],
  ): Generator<BulkWrite<State>> {
    const metadata = encodeMetadata(metadataOf(context));
    let [rows, events, changes, bytes] = [[] as BulkRow<State>[], [] as string[], [] as RowChange[], 0];
    for (const item of items) {
      const row = {
        streamId: item.streamId,
        expectedVersion: item.expectedVersion,
        expectedEpoch: item.expectedEpoch,
        expectedBasis: item.expectedBasis ?? null,
        version: item.expectedVersion,
        state: item.state,
        snapshot: null as number | null,
      };
      let snapshot: Snapshot<Event> | undefined;
      const itemMetadata = item.context ? encodeMetadata(metadataOf(item.context)) : metadata;
      for (const [index, event] of item.events.entries()) {
        row.version += 1;
        row.state = stateAfter(this.definition, row.state, event);
        snapshot = lastSnapshot(this.definition, snapshot, { event, version: row.version });
        const at = {
          id: item.eventIds
            ? eventIdOf(item.eventIds, {
                aggregate: this.definition.aggregate,
                streamId: item.streamId,
                index,
              })
            : newEventId(),
          version: row.version,
          metadata: itemMetadata,
          upcasters: this.definition.upcasters,
          stream: item.streamId,
        };
        const { json } = encodeEvent(event, at);
        bytes += json.length;
        events.push(json);
      }
      row.snapshot = snapshotVersion(this.definition, snapshot, row.state);
      rows.push(row as BulkRow<State>);
      changes.push(...(item.rows ?? []));
      if (rows.length < streamsMax && bytes < bytesMax) continue;
      yield { projectId: context.project.id, rows, events, changes };
      [rows, events, changes, bytes] = [[], [], [], 0];
    }
    if (rows.length > 0) yield { projectId: context.project.id, rows, events, changes };
  }
}
