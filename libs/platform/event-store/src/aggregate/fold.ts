import { type Refusal, isRefused } from '@scrip/kernel';
import type { AggregateDefinition, Decision } from './aggregate';
import type { EventData } from './event';

type Definition<State, Event extends EventData> = Pick<
  AggregateDefinition<State, Event>,
  'aggregate' | 'evolve'
>;

/** Returns the state after one more event. Throws where the stream has no beginning: a defect. */
export const stateAfter = <State, Event extends EventData>(
  { aggregate, evolve }: Definition<State, Event>,
  state: State | undefined,
  event: Event,
): State => {
  const after = evolve(state, event);
  if (after === undefined) throw new Error(`${event.type} cannot be the first event of a ${aggregate}`);
  return after;
};

/** Returns the decision that a decider's answer makes: its events, and as the answer what `answerOf` makes of the state
 *  after them. Returns a refusal as it is. Throws where nothing was decided on no state: a defect. */
export const decisionOf = <State, Event extends EventData, Answer, Key extends string>(
  definition: Definition<State, Event>,
  state: State | undefined,
  decided: readonly Event[] | Refusal<Key>,
  answerOf: (state: State) => Answer,
): Decision<Event, Answer> | Refusal<Key> => {
  if (isRefused(decided)) return decided;
  const after = decided.reduce<State | undefined>(
    (before, event) => stateAfter(definition, before, event),
    state,
  );
  if (after === undefined)
    throw new Error(`nothing was decided on a ${definition.aggregate} without a state`);
  return { events: decided, answer: answerOf(after) };
};
