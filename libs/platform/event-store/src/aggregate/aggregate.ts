import type { Upcaster, IdSource, Refusal, RequestContext } from '@scrip/kernel';
import type { EntityManager } from 'typeorm';
import type { RunStatement } from '../database/database';
import type { EventData } from './event';

/** What a column can be given. Objects and arrays become `jsonb` or SQL arrays, dates ISO text: the table says. */
export type SqlValue = string | number | bigint | boolean | null | Date | object;

/** A key column beside the folded state: its SQL type and its value for a state. Null is stored as NULL. */
export interface ColumnSpec<State> {
  type: string;
  of: (state: State) => SqlValue | undefined;
}

/** How one kind of stream is stored and folded. The state table has at least the columns of `stateTableColumns`. */
export interface AggregateDefinition<State, Event extends EventData> {
  /** The name in topics and in the log: `voucher`. */
  aggregate: string;
  /** State table in the context's schema: `vouchers`. */
  table: string;
  /** Total: copies and adds, never throws, never decides. Returns undefined for an event that begins no stream, where
   *  there is no state yet. */
  evolve: (state: State | undefined, event: Event) => State | undefined;
  /** Key columns, written with every commit. */
  columns: Record<string, ColumnSpec<State>>;
  /** Where a state is loaded from when its row alone does not hold it. The state table must be called `t`:
   *  `{ from: 'vouchers t LEFT JOIN voucher_definitions d ON d.id = t.definition_id', columns: 't.state, d.data' }`. */
  select?: { from: string; columns: string };
  /** The state in a loaded row; by default its column `state`, where null means that there is none yet. */
  fromRow?: (row: Record<string, unknown>) => State | undefined;
  /** What the column `state` holds of a state; by default all of it. */
  toRow?: (state: State) => unknown;
  /** Types of events that hold the whole state. A commit that leaves exactly the state of its last such event does not
   *  store it again: the row names the event, and `state` is NULL. The state table then has `snapshotColumns`. */
  snapshotEvents?: readonly Event['type'][];
  /** What decisions rest on beside the stream's own row: an SQL expression over the state table `t`, of type text. It is read with
   *  the state and compared again in the statement that commits. Where it has another value by then, nothing is written,
   *  and the state is loaded and decided on again. */
  basis?: string;
  /** The state before the first event, for rows that were created in bulk without an event of their own. */
  origin?: (row: Record<string, unknown>) => State | undefined;
  /** Unique constraint or index → the refusal that a caller gets who violates it; `state` is the one refused. */
  conflicts?: Record<string, (state: State) => Refusal>;
  /** Event type → steps from schema version 1 to 2, 2 to 3, …; new events carry the newest version. */
  upcasters?: Record<string, readonly Upcaster[]>;
}

/** Column values that tell rows of a table apart. */
export type RowKey = Record<string, SqlValue>;

/** A side row that is written in the same statement as the events, or not at all.
 *  `insert`: a conflict aborts the statement (`UniqueViolation`, or the refusal of `conflicts`).
 *  `update`, `delete`: exactly one row must have `key` and `expect`, else the statement is aborted with `StaleRow`.
 *  `upsert`: sets columns of the row with `key`, or inserts it.
 *  `increment`: adds whole numbers to columns of the row with `key`. A row that is not there begins at zero; with
 *  `exists` it must be there (`StaleRow`). Increments of one row are summed.
 *  `holds`: exactly one row must have `key` and `expect`, else the statement is aborted with `StaleRow`; nothing is written. Until the
 *  commit no transaction locks that row FOR UPDATE.
 *  `absent`: no row may have `key`, else the statement is aborted with `StaleRow`; nothing is written.
 *  The columns of `key` in `upsert` and `increment` must be those of a unique constraint; rows are locked in their order. */
export type RowChange =
  | { insert: string; values: Record<string, SqlValue | undefined> }
  | {
      update: string;
      key: RowKey;
      expect?: Record<string, SqlValue>;
      set: Record<string, SqlValue | undefined>;
    }
  | { delete: string; key: RowKey; expect?: Record<string, SqlValue> }
  | { upsert: string; key: RowKey; set: Record<string, SqlValue | undefined> }
  | { increment: string; key: RowKey; by: Record<string, number>; exists?: true }
  | { holds: string; key: RowKey; expect: Record<string, SqlValue> }
  | { absent: string; key: RowKey };

/** What a decider wants written and answered. Without events and rows it is a pure answer. */
export interface Decision<Event extends EventData, Answer> {
  events: readonly Event[];
  rows?: readonly RowChange[];
  answer: Answer;
}

interface Addressed {
  /** Gives the project, the events' metadata, and the deadline that bounds waiting and retries. */
  context: RequestContext;
  streamId: string;
  /** Event ids of a keyed command; fresh ones by default. A repeated creation finds its own events by them. */
  eventIds?: IdSource;
  causationId?: string;
}

/** A command for one stream. `decide` is pure and may be called several times, on newer states. `repeated`: answers from the
 *  committed state where the command was executed before under the same `eventIds`; without it the stream is folded to the
 *  state of then, and decided on again. What decides with random parts has it, or answers what was never stored. */
export interface Command<
  State,
  Event extends EventData,
  Answer,
  Key extends string = string,
> extends Addressed {
  decide: (state: State | undefined) => Decision<Event, Answer> | Refusal<Key>;
  repeated?: (state: State) => Answer | Refusal<Key>;
}

/** Rows beside the state of a stream, which its decisions read and change: the buckets of a card, the claims on a code.
 *  A constant: commands that name the same one are loaded together. */
export interface SideRows<Row extends object> {
  table: string;
  /** The columns that tell rows apart, as `RowChange` names them. */
  key: readonly string[];
  /** Reads the rows of `ids`, in one statement. Runs under the lock of the stream's row. */
  load: (
    read: RunStatement,
    stream: { projectId: string; streamId: string },
    ids: readonly string[],
  ) => Promise<readonly Row[]>;
  /** The id that a row was read for. */
  idOf: (row: Row) => string;
}

/** A command that decides on rows beside the state, under the lock of the state row. It goes together with the other
 *  commands of its stream: the rows of all are loaded at once, and `decide`, which is pure, gets those of its own ids as
 *  the commands before it leave them. Of a row inserted before it, only what was inserted is there. */
export interface LockedCommand<
  State,
  Event extends EventData,
  Answer,
  Row extends object,
  Key extends string = string,
> extends Addressed {
  sideRows: { of: SideRows<Row>; ids: readonly string[] };
  /** As of a `Command`, with its rows as they are stored. Without it `decide` has to recognize a repetition. */
  repeated?: (state: State, rows: readonly Row[]) => Answer | Refusal<Key>;
  decide: (state: State | undefined, rows: readonly Row[]) => Decision<Event, Answer> | Refusal<Key>;
}

/** A command whose decision must read what it cannot name before: `decide` runs inside the transaction, under the lock
 *  of the state row, reads through `read` and makes no other call. It goes alone. */
export interface ReadingCommand<
  State,
  Event extends EventData,
  Answer,
  Key extends string = string,
> extends Addressed {
  sideRows?: undefined;
  /** As of a `Command`. Without it `decide` has to recognize a repetition. */
  repeated?: (state: State) => Answer | Refusal<Key>;
  decide: (state: State | undefined, read: EntityManager) => Promise<Decision<Event, Answer> | Refusal<Key>>;
}

/** A state, the version it was folded to, the epoch in which that version was committed, and the `basis` it was read with,
 *  of aggregates that have one. */
export interface Loaded<State> {
  state: State;
  version: number;
  epoch: number;
  basis?: string | null;
}

/** A stream's beginning, for `createMany`. */
export interface NewStream<Event extends EventData> {
  streamId: string;
  /** Where this item's events come from when a batch serves several requests; the batch's context by default. */
  context?: RequestContext;
  /** Event ids of a keyed change, which `wasExecuted` knows again; fresh ones by default. */
  eventIds?: IdSource;
  events: readonly Event[];
  rows?: readonly RowChange[];
}

/** More events for a stream whose state is known, for `commitMany`. `state` is the one before `events`. */
export interface StreamChange<State, Event extends EventData> extends NewStream<Event> {
  expectedVersion: number;
  /** The epoch that the state was loaded with. */
  expectedEpoch: number;
  /** The basis that the state was loaded with, of aggregates that have one. */
  expectedBasis?: string | null | undefined;
  state: State | undefined;
}
