import { type Refusal, isRefused } from '@scrip/kernel';

/** The pure heart of a feature. */
export interface Decider<Command, State, Event> {
  readonly decide: (command: Command, state: State) => readonly Event[] | Refusal;
  readonly evolve: (state: State, event: Event) => State;
  readonly initialState: State | (() => State);
}

/** What can be expected of one decision. */
export interface Decided<State, Event> {
  /** Exactly these events, in this order; none at all without arguments. */
  then(...events: readonly Event[]): void;
  /** Refused with this key, and with these further fields where given. */
  thenRefused(key: string, fields?: Partial<Refusal>): void;
  /** Accepted, with this state once the new events are applied. */
  thenState(state: State): void;
}

/** The past of a decision, to be continued by the command. */
export interface Past<Command, State, Event> {
  when(command: Command): Decided<State, Event>;
}

const frozen = <Value>(value: Value): Value => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value))
    return value;
  Object.values(value).forEach(frozen);
  return Object.freeze(value);
};

const isFactory = <State>(initial: State | (() => State)): initial is () => State =>
  typeof initial === 'function';

/** Builds the `given` of a decider's specs: `given(...events).when(command).then(...events)`. Commands, events and
 *  states are frozen on the way, so that a decider which changes its input fails. */
export const givenFor = <Command, State, Event>({
  decide,
  evolve,
  initialState,
}: Decider<Command, State, Event>): ((...past: readonly Event[]) => Past<Command, State, Event>) => {
  const apply = (state: State, events: readonly Event[]): State =>
    events.reduce((before, event) => frozen(evolve(before, frozen(event))), state);

  return (...past) => ({
    when: (command) => {
      const start = frozen(isFactory(initialState) ? initialState() : initialState);
      const before = apply(start, past);
      const answer = decide(frozen(command), before);
      const decided = (): readonly Event[] => {
        if (isRefused(answer)) throw new Error(`unexpectedly refused: ${JSON.stringify(answer)}`);
        return answer;
      };
      return {
        then: (...events) => {
          expect(decided()).toEqual(events);
          apply(before, decided()); // `evolve` must take whatever `decide` makes.
        },
        thenRefused: (key, fields = {}) => expect(answer).toMatchObject({ ...fields, refused: key }),
        thenState: (state) => expect(apply(before, decided())).toEqual(state),
      };
    },
  });
};
