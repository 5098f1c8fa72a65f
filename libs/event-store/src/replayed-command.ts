import { isRefused } from '@scrip/kernel';
import type { AggregateDefinition } from './aggregate';
import type { RunStatement } from './database';
import type { EventData } from './event';
import type { Member, Outcome } from './member';
import { loadStatement, type StreamState } from './state-row';
import { readStreamStatement, toEvent } from './stream-reader';

/** Answers of keyed members that were executed before, under the same event ids: what they decided then, told again,
 *  on the state that was there before their first event. Source: architecture §8 (Idempotency-Key). */
export const executedBefore = async <State, Event extends EventData>(
  run: RunStatement,
  definition: AggregateDefinition<State, Event>,
  stream: { projectId: string; streamId: string },
  base: StreamState<State>,
  members: readonly Member<State, Event>[],
): Promise<ReadonlyMap<Member<State, Event>, Outcome>> => {
  const answers = new Map<Member<State, Event>, Outcome>();
  const keyed = base.exists ? members.filter((member) => member.keyed && member.decide) : [];
  if (keyed.length === 0) return answers;
  const rows = await run<{ id: string; version: string }>({
    text: 'SELECT event_id::text AS id, version::text AS version FROM events WHERE event_id = ANY($1::uuid[])',
    values: [keyed.map((member) => member.eventId(0))],
  });
  for (const { id, version } of rows) {
    const member = keyed.find((candidate) => candidate.eventId(0) === id)!;
    const before = await stateBefore(run, definition, stream, Number(version));
    const decided = member.decide!(before);
    answers.set(member, { answer: isRefused(decided) ? decided : decided.answer });
  }
  return answers;
};

const stateBefore = async <State, Event extends EventData>(
  run: RunStatement,
  definition: AggregateDefinition<State, Event>,
  { projectId, streamId }: { projectId: string; streamId: string },
  version: number,
): Promise<State | undefined> => {
  const [row] = definition.origin ? await run(loadStatement(definition, projectId, streamId)) : [];
  const rows = await run(
    readStreamStatement({
      projectId,
      aggregate: definition.aggregate,
      streamIds: [streamId],
      before: version,
    }),
  );
  return rows
    .map((stored) => toEvent(stored, definition.upcasters) as Event)
    .reduce(
      (state: State | undefined, event) => definition.evolve(state, event),
      row ? definition.origin?.(row) : undefined,
    );
};
