import type { AggregateDefinition } from '../aggregate/aggregate';
import type { EventData } from '../aggregate/event';
import { shapeOfChanges } from '../aggregate/row-changes';
import type { Database } from '../database/database';
import { classifyDatabaseError } from '../database/database-error';
import { Fault } from '@scrip/kernel';
import type { EventStoreMetrics } from '../metrics';
import { appendStatement, type StreamWrite } from './append-statement';
import { type LaneLimits, Lanes } from './lanes';
import { canMerge, mergedStatement } from './merged-statement';

/** `mergeFrom`: so many writes that are ready together share a statement; fewer go on their own. */
export interface WriterLimits extends LaneLimits {
  mergeFrom: number;
}

interface PendingWrite<State> {
  write: StreamWrite<State>;
  resolve: (epoch: number | undefined) => void;
  reject: (error: unknown) => void;
}

// No connection, or one that was lost: each member finds out for itself what became of its write.
const concernsAll = (error: unknown): boolean =>
  error instanceof Fault || classifyDatabaseError(error).kind === 'lost';

/** Sends the writes of one aggregate's streams, those that are ready together in one statement. Each write has its own
 *  answer. Source: architecture §4 (Group commit per stream). */
export class StreamWriter<State, Event extends EventData> {
  private readonly lanes: Lanes<PendingWrite<State>>;

  /** `isAlone`: whether no other stream of the aggregate has anything to do. */
  constructor(
    private readonly definition: AggregateDefinition<State, Event>,
    private readonly database: Database,
    private readonly metrics: EventStoreMetrics,
    private readonly isAlone: () => boolean,
    private readonly limits: WriterLimits,
  ) {
    this.lanes = new Lanes(limits, (batch) => this.send(batch));
  }

  /** Returns the epoch that the write was made in; undefined where the version was another one. Throws what the database
   *  throws: then it was not made, or, where the connection was lost, its end is unknown. */
  write(write: StreamWrite<State>): Promise<number | undefined> {
    const waits = this.limits.mergeFrom > 1 && this.isAlone() ? false : canMerge(write);
    if (!waits) return this.single(write);
    return new Promise((resolve, reject) => {
      this.lanes.add(shapeOfChanges(write.changes), { write, resolve, reject });
    });
  }

  private async single(write: StreamWrite<State>): Promise<number | undefined> {
    const statement = appendStatement(this.definition, write);
    const [written] = await this.database.query<{ epoch: number }>(statement);
    return written?.epoch;
  }

  private async send(batch: readonly PendingWrite<State>[]): Promise<void> {
    if (batch.length < this.limits.mergeFrom) return this.eachAlone(batch);
    try {
      const statement = mergedStatement(
        this.definition,
        batch.map(({ write }) => write),
      );
      const rows = await this.database.query<{ n: number; epoch: number }>(statement);
      this.metrics.mergedStatements += 1;
      this.metrics.mergedWrites += rows.length;
      const made = new Map(rows.map(({ n, epoch }) => [n, epoch]));
      for (const [index, { resolve }] of batch.entries()) resolve(made.get(index + 1));
    } catch (error) {
      // Nothing was written. The error may be of one write only, so each is made again by itself.
      if (!concernsAll(error)) return this.eachAlone(batch);
      for (const { reject } of batch) reject(error);
    }
  }

  private async eachAlone(batch: readonly PendingWrite<State>[]): Promise<void> {
    await Promise.all(batch.map(({ write, resolve, reject }) => this.single(write).then(resolve, reject)));
  }
}
