import {
  Fault,
  type IdSource,
  type Refusal,
  type RequestContext,
  comesAgain,
  newEventId,
} from '@scrip/kernel';
import type { EntityManager } from 'typeorm';
import type { Command, Decision, LockedCommand, ReadingCommand, SideRows } from '../aggregate/aggregate';
import { eventIdOf } from '../aggregate/event-id';
import { encodeMetadata } from '../aggregate/encoded-event';
import { type EventData, metadataOf } from '../aggregate/event';

/** A member's answer or error, which its caller gets once the decision is durable. */
export type Reply = { answer: unknown } | { error: unknown };

/** Answers a command that was executed before, from the state and its own side rows as they are stored. */
export type Repeated = (state: never, rows: readonly never[]) => unknown;

interface Addressed {
  context: RequestContext;
  streamId: string;
  eventIds?: IdSource;
  causationId?: string;
  repeated?: Repeated;
}

type Decided<Event extends EventData> = Decision<Event, unknown> | Refusal;

/** One caller's command while it waits for its answer. It is answered once; later answers are ignored. */
export class PendingCommand<State, Event extends EventData> {
  readonly promise: Promise<unknown>;
  readonly context: RequestContext;
  readonly metadata: string;
  answered = false;
  private readonly ids: string[] = [];
  private resolve: (answer: unknown) => void;
  private reject: (error: unknown) => void;

  private constructor(
    command: Addressed,
    private readonly aggregate: string,
    /** Decides in memory; absent when the decision needs a transaction for itself. */
    readonly decide: ((state: State | undefined, rows: readonly never[]) => Decided<Event>) | null,
    readonly decideReading:
      ((state: State | undefined, read: EntityManager) => Promise<Decided<Event>>) | null,
    /** The rows that it decides on, under the lock of the state row. */
    readonly sideRows: { of: SideRows<Record<string, unknown>>; ids: readonly string[] } | null,
  ) {
    this.context = command.context;
    this.metadata = encodeMetadata(metadataOf(command.context, command.causationId));
    this.command = command;
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  private readonly command: Addressed;

  static of<S, E extends EventData, A>(aggregate: string, command: Command<S, E, A>): PendingCommand<S, E> {
    return new PendingCommand<S, E>(command, aggregate, command.decide, null, null);
  }

  static locked<S, E extends EventData, A, R extends object>(
    aggregate: string,
    command: LockedCommand<S, E, A, R> | ReadingCommand<S, E, A>,
  ): PendingCommand<S, E> {
    if (!command.sideRows) return new PendingCommand<S, E>(command, aggregate, null, command.decide, null);
    const { decide, sideRows } = command;
    return new PendingCommand<S, E>(
      command,
      aggregate,
      decide as PendingCommand<S, E>['decide'],
      null,
      sideRows as unknown as PendingCommand<S, E>['sideRows'],
    );
  }

  /** Whether it decides under the lock of the state row. */
  get locks(): boolean {
    return this.decideReading !== null || this.sideRows !== null;
  }

  /** The id of the member's n-th event; the same however often it is decided. */
  eventId(index: number): string {
    const { eventIds, streamId } = this.command;
    return (this.ids[index] ??= eventIds
      ? eventIdOf(eventIds, { aggregate: this.aggregate, streamId, index })
      : newEventId());
  }

  /** Whether the same command may have been executed before, under the same event ids. */
  get keyed(): boolean {
    return this.command.eventIds !== undefined && comesAgain(this.command.eventIds);
  }

  /** Answers it where it was executed before; undefined where only its decision tells. */
  get repeated(): Repeated | undefined {
    return this.command.repeated;
  }

  get expired(): boolean {
    return Date.now() >= this.context.deadlineAt;
  }

  answerWith(reply: Reply): void {
    if (this.answered) return;
    this.answered = true;
    if ('error' in reply) this.reject(reply.error);
    else this.resolve(reply.answer);
  }

  /** Rejects with `Fault` `deadline`. The command may have been committed, or may still be. */
  expire(): void {
    this.answerWith({ error: new Fault('deadline', 'the deadline passed before the decision was durable') });
  }
}
