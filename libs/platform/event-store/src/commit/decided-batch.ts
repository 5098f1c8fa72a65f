import { type Refusal, isRefused, newEventId } from '@scrip/kernel';
import type { AggregateDefinition, Decision, RowChange } from '../aggregate/aggregate';
import type { StreamWrite } from './append-statement';
import { type EncodedEvent, encodeEvent } from '../aggregate/encoded-event';
import type { EventData } from '../aggregate/event';
import { stateAfter } from '../aggregate/fold';
import { LoadedSideRows } from './loaded-side-rows';
import type { PendingCommand, Reply } from './pending-command';
import { type Snapshot, lastSnapshot, snapshotVersion } from '../aggregate/snapshot';
import type { StreamState } from '../aggregate/state-row';

const bytesMax = 4_000_000;

/** A batch as it was decided in memory on one state: what to write, and each member's answer once it is written. */
export interface DecidedBatch<State, Event extends EventData> {
  readonly base: StreamState<State>;
  readonly result: StreamState<State>;
  readonly replies: ReadonlyMap<PendingCommand<State, Event>, Reply>;
  readonly events: readonly EncodedEvent[];
  readonly changes: readonly RowChange[];
  readonly receiptId: string | null;
  /** The version of the event that holds the state, where the row need not. */
  readonly snapshot: number | null;
}

/** Members decided one after another, each on the state that the previous ones will have left. */
export class DecidedBatchBuilder<State, Event extends EventData> {
  private state: State | undefined;
  private version: number;
  private bytes = 0;
  private readonly replies = new Map<PendingCommand<State, Event>, Reply>();
  private readonly events: EncodedEvent[] = [];
  private readonly changes: RowChange[] = [];
  private snapshot: Snapshot<Event> | undefined;
  /** Whether a row is only added to, which several members may do. */
  private readonly changedRows = new Map<string, boolean>();
  private readonly keyedIds = new Set<string>();

  constructor(
    private readonly definition: AggregateDefinition<State, Event>,
    private readonly base: StreamState<State>,
    private readonly beside: LoadedSideRows<State, Event> = LoadedSideRows.none,
  ) {
    this.state = base.state;
    this.version = base.version;
  }

  get current(): State | undefined {
    return this.state;
  }

  /** Takes what `member` decided on the current state. False: it belongs into the next batch, as the statement is
   *  full, as two changes of one row cannot be one statement, or as the same command is already in this one. */
  add(member: PendingCommand<State, Event>, decide: () => Decision<Event, unknown> | Refusal): boolean {
    // The same command again: the next batch finds its events and tells what they were decided on.
    if (member.keyed && this.keyedIds.has(member.eventId(0))) return false;
    try {
      const decided = decide();
      if (isRefused(decided)) return this.note(member, { answer: decided });
      return this.take(member, decided);
    } catch (error) {
      return this.note(member, { error });
    }
  }

  /** Answers a member without writing for it. */
  answer(member: PendingCommand<State, Event>, reply: Reply): true {
    return this.note(member, reply);
  }

  finish(): DecidedBatch<State, Event> {
    return {
      base: this.base,
      result: {
        exists: this.base.exists || this.events.length > 0,
        version: this.version,
        epoch: this.base.epoch,
        state: this.state,
        ...(this.base.basis === undefined ? {} : { basis: this.base.basis }),
      },
      replies: this.replies,
      events: this.events,
      changes: this.changes,
      receiptId: this.changes.length > 0 && this.events.length === 0 ? newEventId() : null,
      snapshot: snapshotVersion(this.definition, this.snapshot, this.state),
    };
  }

  private note(member: PendingCommand<State, Event>, reply: Reply): true {
    this.replies.set(member, reply);
    return true;
  }

  // Two changes of one row cannot be one statement, unless both add to it.
  private clashes({ id, isAdded }: { id: string; isAdded: boolean }): boolean {
    return this.changedRows.has(id) && !(isAdded && this.changedRows.get(id));
  }

  private take(
    member: PendingCommand<State, Event>,
    { events, rows = [], answer }: Decision<Event, unknown>,
  ): boolean {
    const { upcasters } = this.definition;
    let { state, version, snapshot } = this;
    const encoded = events.map((event, index) => {
      version += 1;
      state = stateAfter(this.definition, state, event);
      snapshot = lastSnapshot(this.definition, snapshot, { event, version });
      return encodeEvent(event, { id: member.eventId(index), version, metadata: member.metadata, upcasters });
    });
    const bytes = encoded.reduce((sum, { json }) => sum + json.length, 0);
    const changed = rows.flatMap((row) => {
      const id = this.beside.rowOf(row);
      return id === null ? [] : [{ id, isAdded: 'increment' in row }];
    });
    const fits = this.bytes + bytes <= bytesMax && !changed.some((row) => this.clashes(row));
    if (!fits && this.replies.size > 0) return false;
    for (const { id, isAdded } of changed) this.changedRows.set(id, isAdded);
    this.beside.apply(rows);
    if (member.keyed) this.keyedIds.add(member.eventId(0));
    this.events.push(...encoded);
    this.changes.push(...rows);
    this.bytes += bytes;
    this.state = state;
    this.version = version;
    this.snapshot = snapshot;
    return this.note(member, { answer });
  }
}

/** Whether the batch has anything to commit. */
export const writes = ({
  events,
  changes,
}: {
  events: readonly unknown[];
  changes: readonly unknown[];
}): boolean => events.length > 0 || changes.length > 0;

/** The write of a decided batch, for the append statement. */
export const writeOf = <State, Event extends EventData>(
  { base, result, events, changes, receiptId, snapshot }: DecidedBatch<State, Event>,
  stream: { projectId: string; streamId: string },
): StreamWrite<State> => ({
  ...stream,
  expectedVersion: base.exists ? base.version : null,
  expectedEpoch: base.epoch,
  expectedBasis: base.basis ?? null,
  nextVersion: result.version,
  state: result.state,
  snapshot,
  events,
  changes,
  receiptId,
});
