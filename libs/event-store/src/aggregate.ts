import type { IdSource, Refusal, RequestContext } from '@scrip/kernel';
import type { EntityManager } from 'typeorm';
import type { EventData } from './event';
import type { Upcaster } from './upcasting';

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
  /** Total: copies and adds, never throws, never decides. */
  evolve: (state: State | undefined, event: Event) => State;
  /** Key columns, written with every commit. */
  columns: Record<string, ColumnSpec<State>>;
  /** Where a state is loaded from when its row alone does not hold it. The state table must be called `t`:
   *  `{ from: 'vouchers t LEFT JOIN voucher_definitions d ON d.id = t.definition_id', columns: 't.state, d.data' }`. */
  select?: { from: string; columns: string };
  /** The state in a loaded row; by default its column `state`, where null means that there is none yet. */
  fromRow?: (row: Record<string, unknown>) => State | undefined;
  /** What the column `state` holds of a state; by default all of it. */
  toRow?: (state: State) => unknown;
  /** The state before the first event, for rows that were created in bulk without an event of their own. */
  origin?: (row: Record<string, unknown>) => State | undefined;
  /** Unique constraint or index → the refusal that a caller gets who violates it; `state` is the one refused. */
  conflicts?: Record<string, (state: State) => Refusal>;
  /** Event type → steps from schema version 1 to 2, 2 to 3, …; new events carry the newest version. */
  upcasters?: Record<string, readonly Upcaster[]>;
}

/** A side row that is written in the same statement as the events, or not at all.
 *  `insert`: a conflict aborts the statement (`UniqueViolation`, or the refusal of `conflicts`).
 *  `update`: exactly one row must have `key` and `expect`, else the statement is aborted with `StaleRow`. */
export type RowChange =
  | { insert: string; values: Record<string, SqlValue | undefined> }
  | {
      update: string;
      key: Record<string, SqlValue>;
      expect?: Record<string, SqlValue>;
      set: Record<string, SqlValue | undefined>;
    };

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

/** A command for one stream. `decide` is pure and may be called several times, on newer states. */
export interface Command<State, Event extends EventData, Answer> extends Addressed {
  decide: (state: State | undefined) => Decision<Event, Answer> | Refusal;
}

/** A command whose decision must read rows of the same database: `decide` runs inside the transaction, under the
 *  lock of the state row, reads through `read` and calls nobody else. */
export interface LockedCommand<State, Event extends EventData, Answer> extends Addressed {
  decide: (state: State | undefined, read: EntityManager) => Promise<Decision<Event, Answer> | Refusal>;
}

/** A state and the version it was folded to. */
export interface Loaded<State> {
  state: State;
  version: number;
}

/** A stream's beginning, for `createMany`. */
export interface NewStream<Event extends EventData> {
  streamId: string;
  /** Where this item's events come from when a batch serves several requests; the batch's context by default. */
  context?: RequestContext;
  events: readonly Event[];
  rows?: readonly RowChange[];
}

/** More events for a stream whose state is known, for `commitMany`. `state` is the one before `events`. */
export interface StreamChange<State, Event extends EventData> extends NewStream<Event> {
  expectedVersion: number;
  state: State | undefined;
}
