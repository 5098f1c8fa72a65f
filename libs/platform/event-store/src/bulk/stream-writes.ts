import type { RequestContext } from '@scrip/kernel';
import type { Connection, Statement } from '../database/database';
import { classifyDatabaseError, refusedChange, VersionConflict } from '../database/database-error';
import { bulkStatement, type FirstExpression, loneStatement, type WritePart } from './bulk-statement';

/** A part of a statement, and how many streams it has to write. */
export interface CountedPart {
  part: WritePart;
  streams: number;
}

/** What `EventStore.commitTogether` writes of one aggregate: a part of a statement for each chunk of its streams. Got from
 *  `AggregateStore.creating` and `AggregateStore.changing`. */
export type StreamWrites = (context: RequestContext) => Iterable<CountedPart>;

/** Runs one statement of all parts. Throws `VersionConflict` where streams have another version: the transaction has to be
 *  rolled back. */
export const runParts = async (connection: Connection, parts: readonly CountedPart[]): Promise<void> => {
  const rows = await run(connection, bulkStatement(parts.map(({ part }) => part)));
  const expected = parts.reduce((sum, { streams }) => sum + streams, 0);
  const written = rows[0]!.streams.reduce((sum, streams) => sum + streams, 0);
  if (written !== expected) {
    throw new VersionConflict(`${expected - written} of ${expected} streams have another version`);
  }
};

const run = async (
  { client }: Connection,
  { text, values }: Statement,
  meanwhile: () => void = () => undefined,
): Promise<{ streams: number[] }[]> => {
  const answered = client
    .query<{ streams: number[] }>(text, [...values])
    .catch((error: unknown) => Promise.reject(refusedChange(classifyDatabaseError(error), error)));
  try {
    meanwhile();
  } finally {
    // Whatever happens meanwhile: the connection is free again only then.
    await answered;
  }
  return (await answered).rows;
};

/** What `EventStore.appendTogether` writes. `first` runs before streams are locked. `meanwhile` is called when the statement was sent, and
 *  should not wait: what has to be worked out only where all is written may be worked out while the server is busy. */
export interface LoneWrites {
  first: FirstExpression;
  writes: readonly StreamWrites[];
  meanwhile?: () => void;
}

/** Runs one statement of all writes, which is a transaction by itself. Throws `StaleRow` where streams have another version or are
 *  locked. */
export const runAlone = async (
  connection: Connection,
  context: RequestContext,
  { first, writes, meanwhile }: LoneWrites,
): Promise<void> => {
  const parts = writes.flatMap((write) => [...write(context)]);
  const statement = loneStatement(
    parts.map(({ part }) => part),
    first,
  );
  await run(connection, statement, meanwhile);
};

/** Runs writes of several aggregates: one statement where each has one chunk, else one statement for each chunk. */
export const runTogether = async (
  connection: Connection,
  context: RequestContext,
  writes: readonly StreamWrites[],
): Promise<void> => {
  const chunks = writes.map((write) => [...write(context)]);
  if (chunks.every(({ length }) => length <= 1)) {
    await runParts(connection, chunks.flat());
    return;
  }
  for (const part of chunks.flat()) await runParts(connection, [part]);
};
