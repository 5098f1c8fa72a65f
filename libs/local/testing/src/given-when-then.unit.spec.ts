import { type Refusal, refuse } from '@scrip/kernel';
import { givenFor } from './given-when-then';

interface Accrued {
  type: 'PointsAccrued';
  points: number;
}
interface Card {
  points: number;
}
type Command = { accrue: number } | { vandalise: true };

const accrued = (points: number): Accrued => ({ type: 'PointsAccrued', points });

const decide = (command: Command, card: Card): Accrued[] | Refusal => {
  if ('vandalise' in command) {
    card.points = 0;
    return [];
  }
  if (card.points + command.accrue > 100)
    return refuse('points_exceeded', 'At most 100', { resourceId: 'card_1' });
  return command.accrue === 0 ? [] : [accrued(command.accrue)];
};
const evolve = (card: Card, event: Accrued): Card => ({ points: card.points + event.points });

const given = givenFor({ decide, evolve, initialState: { points: 0 } });

describe('given/when/then', () => {
  it('passes where the decision is as expected', () => {
    given(accrued(60)).when({ accrue: 40 }).then(accrued(40));
    given(accrued(60)).when({ accrue: 40 }).thenState({ points: 100 });
    given(accrued(60)).when({ accrue: 41 }).thenRefused('points_exceeded', { resourceId: 'card_1' });
    given().when({ accrue: 0 }).then();
  });

  it.each([
    ['other events', () => given().when({ accrue: 1 }).then(accrued(2))],
    ['fewer events', () => given().when({ accrue: 1 }).then(accrued(1), accrued(1))],
    ['more events', () => given().when({ accrue: 1 }).then()],
    ['a refusal instead of events', () => given().when({ accrue: 101 }).then()],
    ['a refusal instead of a state', () => given().when({ accrue: 101 }).thenState({ points: 0 })],
    ['events instead of a refusal', () => given().when({ accrue: 1 }).thenRefused('points_exceeded')],
    ['another refusal', () => given().when({ accrue: 101 }).thenRefused('expired')],
    [
      'another field',
      () => given().when({ accrue: 101 }).thenRefused('points_exceeded', { resourceId: 'card_2' }),
    ],
    ['another state', () => given().when({ accrue: 1 }).thenState({ points: 2 })],
    ['a decider that changes its input', () => given().when({ vandalise: true })],
  ])('fails for %s', (_, scenario) => expect(scenario).toThrow());

  it('takes a factory of the initial state', () => {
    givenFor({ decide, evolve, initialState: () => ({ points: 99 }) })()
      .when({ accrue: 2 })
      .thenRefused('points_exceeded');
  });
});
