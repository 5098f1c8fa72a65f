import { isRefused } from '@scrip/kernel';
import type { AggregateDefinition } from '../aggregate/aggregate';
import type { RunStatement } from '../database/database';
import type { EventData } from '../aggregate/event';
import { stateAfter } from '../aggregate/fold';
import type { PendingCommand, Reply } from './pending-command';
import { loadStatement, type StreamState } from '../aggregate/state-row';
import { readStreamStatement, toEvent } from '../log/stream-reader';

/** Answers a member that was executed before. `rows`: its side rows as they are stored. */
export type AnswerAgain = (rows: readonly never[]) => Reply;

/** How keyed members are answered that were executed before, under the same event ids: as their `repeated` says, else by what they
 *  decided then, told again, on the state that was there before their first event. Locked members without `repeated` recognize
 *  themselves. Source: architecture §8 (Idempotency-Key). */
export const executedBefore = async <State, Event extends EventData>(
  run: RunStatement,
  definition: AggregateDefinition<State, Event>,
  stream: { projectId: string; streamId: string },
  base: StreamState<State>,
  members: readonly PendingCommand<State, Event>[],
): Promise<ReadonlyMap<PendingCommand<State, Event>, AnswerAgain>> => {
  const answers = new Map<PendingCommand<State, Event>, AnswerAgain>();
  const keyed = base.exists ? members.filter(isRecognized) : [];
  if (keyed.length === 0) return answers;
  const found = await run<{ id: string; version: string }>({
    text: `
      SELECT event_id::text AS id, version::text AS version FROM events WHERE event_id = ANY($1::uuid[])
      ORDER BY events.version`,
    values: [keyed.map((member) => member.eventId(0))],
  });
  const byId = new Map(keyed.map((member) => [member.eventId(0), member]));
  const asked = found.map(({ id, version }) => ({ member: byId.get(id)!, version: Number(version) }));
  for (const { member } of asked) {
    const { repeated } = member;
    if (repeated) answers.set(member, (rows) => replyOf(() => repeated(base.state as never, rows)));
  }
  const decided = asked.filter(({ member }) => !answers.has(member));
  const states = statesBefore(
    run,
    definition,
    stream,
    decided.map(({ version }) => version),
  );
  for (const { member } of decided) {
    const { value: before } = await states.next();
    const again = member.decide!(before as State | undefined, []);
    answers.set(member, () => ({ answer: isRefused(again) ? again : again.answer }));
  }
  return answers;
};

const replyOf = (answer: () => unknown): Reply => {
  try {
    return { answer: answer() };
  } catch (error) {
    return { error };
  }
};

const isRecognized = <State, Event extends EventData>(member: PendingCommand<State, Event>): boolean =>
  member.keyed && (member.repeated !== undefined || !member.locks);

/** A stream's states before some of its versions, which rise: its events are read and folded once for all of them. */
async function* statesBefore<State, Event extends EventData>(
  run: RunStatement,
  definition: AggregateDefinition<State, Event>,
  { projectId, streamId }: { projectId: string; streamId: string },
  versions: readonly number[],
): AsyncGenerator<State | undefined> {
  if (versions.length === 0) return;
  const [row] = definition.origin ? await run(loadStatement(definition, projectId, streamId)) : [];
  const { aggregate } = definition;
  const before = versions.at(-1)!;
  const events = await run(readStreamStatement({ projectId, aggregate, streamIds: [streamId], before }));
  let state = row ? definition.origin?.(row) : undefined;
  let folded = 0;
  for (const version of versions) {
    for (; folded < events.length && Number(events[folded]!.version) < version; folded += 1)
      state = stateAfter(definition, state, toEvent(events[folded]!, definition.upcasters) as Event);
    yield state;
  }
}
