import { nextOrd } from './append-statement';
import type { DecidedBatch } from './decided-batch';
import type { Database, Statement } from '../database/database';
import type { EventData } from '../aggregate/event';
import { lockStatement } from '../aggregate/state-row';

/** How the commits in doubt ended. `committed`: one of them stands. `closed`: none stands, and none can any more.
 *  `absent`: none stands, but there is no row to lock, so a creation may still arrive. */
export type DoubtEnd<State, Event extends EventData> =
  { end: 'committed'; batch: DecidedBatch<State, Event> } | { end: 'closed' } | { end: 'absent' };

const lookup = (ids: readonly string[]): Statement => ({
  text: `
    SELECT event_id::text AS id, version::text AS version FROM events WHERE event_id = ANY($1::uuid[])
    UNION ALL SELECT receipt_id::text, NULL FROM event_store_receipts WHERE receipt_id = ANY($1::uuid[])`,
  values: [ids],
});

// A member's events have the same ids in every batch that it was decided in; the version tells which batch was committed.
const marksOf = ({
  events,
  receiptId,
}: Pick<DecidedBatch<never, never>, 'events' | 'receiptId'>): string[] => [
  ...events.map(({ id, version }) => `${id}:${version}`),
  ...(receiptId === null ? [] : [`${receiptId}:`]),
];

const idOf = (mark: string): string => mark.slice(0, mark.indexOf(':'));

// In the epoch of now, as every commit: in an earlier one this may be the version of a commit that a restore has lost.
const raiseVersion = (table: string): string => `
  UPDATE ${table} t SET version = t.version + 1, epoch = m.epoch, last_ord = ${nextOrd}
  FROM event_store_meta m WHERE t.project_id = $1 AND t.id = $2`;

/** Commits of one stream whose connection was lost before their end was known. Source: architecture §4. */
export class InDoubt<State, Event extends EventData> {
  private batches: DecidedBatch<State, Event>[] = [];

  get open(): boolean {
    return this.batches.length > 0;
  }

  add(batch: DecidedBatch<State, Event>): void {
    this.batches.push(batch);
  }

  /** None of the commits can arrive any more. */
  close(): void {
    this.batches = [];
  }

  /** Locks the state row first, which waits for an old backend that is still committing, and only then looks the
   *  event ids up. Where none is found, raises the version, so that an old statement which has not even started
   *  cannot land behind whatever is decided next, be it a refusal. */
  async resolve(
    database: Database,
    table: string,
    stream: { projectId: string; streamId: string },
    lockTimeoutMs: number,
  ): Promise<DoubtEnd<State, Event>> {
    return database.withConnection(async ({ client }) => {
      await client.query(`BEGIN; SET LOCAL lock_timeout = '${lockTimeoutMs}ms'`);
      try {
        const locked = await database.run(
          client,
          lockStatement({ table }, stream.projectId, stream.streamId),
        );
        const batch = await this.findCommitted((statement) => database.run(client, statement));
        if (batch || locked.rowCount === 0) {
          await client.query('ROLLBACK');
          return batch ? { end: 'committed', batch } : { end: 'absent' };
        }
        await client.query(raiseVersion(table), [stream.projectId, stream.streamId]);
        await client.query('COMMIT');
        return { end: 'closed' };
      } catch (error) {
        await client.query('ROLLBACK').catch(() => undefined); // the first error tells more
        throw error;
      }
    });
  }

  private async findCommitted(
    run: (statement: Statement) => Promise<{ rows: { id?: unknown; version?: unknown }[] }>,
  ): Promise<DecidedBatch<State, Event> | undefined> {
    const { rows } = await run(lookup(this.batches.flatMap((batch) => marksOf(batch)).map(idOf)));
    const found = new Set(rows.map(({ id, version }) => `${String(id)}:${(version as string | null) ?? ''}`));
    return this.batches.find((batch) => marksOf(batch).some((mark) => found.has(mark)));
  }
}
