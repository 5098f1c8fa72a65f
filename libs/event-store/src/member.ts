import {
  Fault,
  type IdSource,
  type Refusal,
  type RequestContext,
  newEventId,
  randomIds,
} from '@scrip/kernel';
import type { EntityManager } from 'typeorm';
import type { Command, Decision, LockedCommand } from './aggregate';
import { encodeMetadata } from './encoded-event';
import { type EventData, metadataOf } from './event';

/** What a member's decider said, to be told once it is durable. */
export type Outcome = { answer: unknown } | { error: unknown };

type Decided<Event extends EventData> = Decision<Event, unknown> | Refusal;

const uuidForm = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** One caller's command while it waits for its answer. It is answered once; later answers are ignored. */
export class Member<State, Event extends EventData> {
  readonly promise: Promise<unknown>;
  readonly context: RequestContext;
  readonly metadata: string;
  settled = false;
  private readonly ids: string[] = [];
  private resolve: (answer: unknown) => void;
  private reject: (error: unknown) => void;

  private constructor(
    command: { context: RequestContext; streamId: string; eventIds?: IdSource; causationId?: string },
    private readonly aggregate: string,
    /** Decides in memory; absent when the decision needs a transaction. */
    readonly decide: ((state: State | undefined) => Decided<Event>) | null,
    readonly decideLocked:
      ((state: State | undefined, read: EntityManager) => Promise<Decided<Event>>) | null,
  ) {
    this.context = command.context;
    this.metadata = encodeMetadata(metadataOf(command.context, command.causationId));
    this.command = command;
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  private readonly command: { streamId: string; eventIds?: IdSource };

  static of<S, E extends EventData, A>(aggregate: string, command: Command<S, E, A>): Member<S, E> {
    return new Member<S, E>(command, aggregate, command.decide, null);
  }

  static locked<S, E extends EventData, A>(aggregate: string, command: LockedCommand<S, E, A>): Member<S, E> {
    return new Member<S, E>(command, aggregate, null, command.decide);
  }

  /** The id of the member's n-th event; the same however often it is decided. */
  eventId(index: number): string {
    const { eventIds, streamId } = this.command;
    return (this.ids[index] ??= eventIds
      ? uuidForm(eventIds.next('', `event:${this.aggregate}:${streamId}:${index}`))
      : newEventId());
  }

  /** Whether the same command may have been executed before, under the same event ids. */
  get keyed(): boolean {
    return this.command.eventIds !== undefined && this.command.eventIds !== randomIds;
  }

  get expired(): boolean {
    return Date.now() >= this.context.deadlineAt;
  }

  settle(outcome: Outcome): void {
    if (this.settled) return;
    this.settled = true;
    if ('error' in outcome) this.reject(outcome.error);
    else this.resolve(outcome.answer);
  }

  /** Tells the caller that time ran out. What the command did, or still does, is then unknown to him. */
  expire(): void {
    this.settle({ error: new Fault('deadline', 'the deadline passed before the decision was durable') });
  }
}
