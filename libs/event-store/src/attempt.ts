import { type Refusal, isRefused, newEventId } from '@scrip/kernel';
import type { AggregateDefinition, Decision, RowChange } from './aggregate';
import type { StreamWrite } from './append-statement';
import { type EncodedEvent, encodeEvent } from './encoded-event';
import type { EventData } from './event';
import type { Member, Outcome } from './member';
import type { StreamState } from './state-row';

const maxBytes = 4_000_000;

/** A batch as it was decided in memory on one state: what to write, and each member's answer once it is written. */
export interface Attempt<State, Event extends EventData> {
  readonly base: StreamState<State>;
  readonly result: StreamState<State>;
  readonly outcomes: ReadonlyMap<Member<State, Event>, Outcome>;
  readonly events: readonly EncodedEvent[];
  readonly changes: readonly RowChange[];
  readonly receiptId: string | null;
}

/** Members decided one after another, each on the state that the previous ones will have left. */
export class AttemptBuilder<State, Event extends EventData> {
  private state: State | undefined;
  private version: number;
  private bytes = 0;
  private readonly outcomes = new Map<Member<State, Event>, Outcome>();
  private readonly events: EncodedEvent[] = [];
  private readonly changes: RowChange[] = [];
  private readonly changedRows = new Set<string>();
  private readonly keyedIds = new Set<string>();

  constructor(
    private readonly definition: AggregateDefinition<State, Event>,
    private readonly base: StreamState<State>,
  ) {
    this.state = base.state;
    this.version = base.version;
  }

  get current(): State | undefined {
    return this.state;
  }

  /** Takes what `member` decided on the current state. False: it belongs into the next batch, as the statement is
   *  full, as two changes of one row cannot be one statement, or as the same command is already in this one. */
  add(member: Member<State, Event>, decide: () => Decision<Event, unknown> | Refusal): boolean {
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
  answer(member: Member<State, Event>, outcome: Outcome): true {
    return this.note(member, outcome);
  }

  finish(): Attempt<State, Event> {
    return {
      base: this.base,
      result: {
        exists: this.base.exists || this.events.length > 0,
        version: this.version,
        state: this.state,
      },
      outcomes: this.outcomes,
      events: this.events,
      changes: this.changes,
      receiptId: this.changes.length > 0 && this.events.length === 0 ? newEventId() : null,
    };
  }

  private note(member: Member<State, Event>, outcome: Outcome): true {
    this.outcomes.set(member, outcome);
    return true;
  }

  private take(
    member: Member<State, Event>,
    { events, rows = [], answer }: Decision<Event, unknown>,
  ): boolean {
    const { upcasters, evolve } = this.definition;
    let { state, version } = this;
    const encoded = events.map((event, index) => {
      version += 1;
      state = evolve(state, event);
      return encodeEvent(event, { id: member.eventId(index), version, metadata: member.metadata, upcasters });
    });
    const bytes = encoded.reduce((sum, { json }) => sum + json.length, 0);
    const updated = rows.flatMap((row) =>
      'update' in row ? [`${row.update}:${JSON.stringify(row.key)}`] : [],
    );
    const fits = this.bytes + bytes <= maxBytes && !updated.some((row) => this.changedRows.has(row));
    if (!fits && this.outcomes.size > 0) return false;
    for (const row of updated) this.changedRows.add(row);
    if (member.keyed) this.keyedIds.add(member.eventId(0));
    this.events.push(...encoded);
    this.changes.push(...rows);
    this.bytes += bytes;
    this.state = state;
    this.version = version;
    return this.note(member, { answer });
  }
}

/** Whether the attempt has anything to commit. */
export const writes = ({
  events,
  changes,
}: {
  events: readonly unknown[];
  changes: readonly unknown[];
}): boolean => events.length > 0 || changes.length > 0;

/** The write of an attempt, for the append statement. */
export const writeOf = <State, Event extends EventData>(
  { base, result, events, changes, receiptId }: Attempt<State, Event>,
  stream: { projectId: string; streamId: string },
): StreamWrite<State> => ({
  ...stream,
  expectedVersion: base.exists ? base.version : null,
  nextVersion: result.version,
  state: result.state,
  events,
  changes,
  receiptId,
});
