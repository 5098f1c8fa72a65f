import { refuse } from '@scrip/kernel';
import { decisionOf, stateAfter } from './fold';

interface Counter {
  value: number;
}

type CounterEvent = { type: 'Created'; data: Counter } | { type: 'Raised'; data: { by: number } };

const definition = {
  aggregate: 'counter',
  evolve: (state: Counter | undefined, event: CounterEvent): Counter | undefined =>
    event.type === 'Created' ? event.data : state && { value: state.value + event.data.by },
};

const created: CounterEvent = { type: 'Created', data: { value: 1 } };
const raised: CounterEvent = { type: 'Raised', data: { by: 2 } };

describe('the state after an event', () => {
  it('is what the event makes of the state before', () => {
    expect(stateAfter(definition, stateAfter(definition, undefined, created), raised)).toEqual({ value: 3 });
  });

  it('throws where an event cannot be the first one', () => {
    expect(() => stateAfter(definition, undefined, raised)).toThrow(
      'Raised cannot be the first event of a counter',
    );
  });
});

describe('the decision of a decider', () => {
  const valueOf = ({ value }: Counter) => value;

  it('answers from the state after all its events', () => {
    expect(decisionOf(definition, undefined, [created, raised], valueOf)).toEqual({
      events: [created, raised],
      answer: 3,
    });
  });

  it('answers from the state there is where nothing follows', () => {
    expect(decisionOf(definition, { value: 7 }, [], valueOf)).toEqual({ events: [], answer: 7 });
  });

  it('is a refusal as it stands', () => {
    expect(decisionOf(definition, undefined, refuse('not_found'), valueOf)).toEqual(refuse('not_found'));
  });

  it('throws where nothing follows and there is no state', () => {
    expect(() => decisionOf(definition, undefined, [], valueOf)).toThrow(
      'nothing was decided on a counter without a state',
    );
  });
});
