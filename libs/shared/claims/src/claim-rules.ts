import type { ClaimAsks, ClaimKey } from '@scrip/contracts/claims';
import { isRefused } from '@scrip/kernel';
import type { OwnerRefusal } from '@scrip/contracts/claims';
import { type ClaimMove, type ClaimRow, claimAbandoned } from './claim-state';

/** What a claim does to the stream of an object. Pure. `Around`: what else decides, the time among it. */
export interface ClaimRules<State, Event, Around> {
  /** Takes what the claim asks, or refuses. `kept` is stored with the claim. Throws for asks that are not served. */
  take(
    state: State,
    claim: ClaimKey & { asks: ClaimAsks },
    around: Around,
  ): { events: Event[]; kept: object } | OwnerRefusal;
  /** Gives back what the claim took. `rollback_id`: of a refund. `kept`: replaces what the claim keeps, where the repetition
   *  of a refund has to answer more than the state. */
  giveBack(
    state: State,
    claim: ClaimKey & { kept: object; rollback_id?: string },
    cause: 'ABANDONED' | 'ROLLED_BACK',
  ): { events: Event[]; kept?: object };
  /** Folds one event. */
  evolve(state: State | undefined, event: Event): State;
}

/** What is written, and the state after it. `refusal`: why nothing was taken; what was replaced is reverted all the
 *  same. */
export interface ClaimDecision<State, Event> {
  events: Event[];
  moves: ClaimMove[];
  state: State | undefined;
  kept?: object;
  refusal?: OwnerRefusal;
}

const keyOf = ({ redemption_id, claim_id }: ClaimKey): ClaimKey => ({ redemption_id, claim_id });

const given = <State, Event>(
  rules: ClaimRules<State, Event, never>,
  state: State | undefined,
  claim: ClaimKey & { rollback_id?: string },
  { kept }: ClaimRow,
  cause: 'ABANDONED' | 'ROLLED_BACK',
): { events: Event[]; state: State; kept: object } => {
  if (state === undefined || !kept) throw new Error(`claim ${claim.claim_id} has nothing to give back to`);
  const { rollback_id } = claim;
  const own = { ...keyOf(claim), kept, ...(rollback_id === undefined ? {} : { rollback_id }) };
  const given = rules.giveBack(state, own, cause);
  return {
    events: given.events,
    state: given.events.reduce<State>((before, event) => rules.evolve(before, event), state),
    kept: given.kept ?? kept,
  };
};

/** Takes what a new claim asks. Source: architecture §8. */
export const takeNew = <State, Event, Around>(
  rules: ClaimRules<State, Event, Around>,
  state: State,
  claim: ClaimKey & { asks: ClaimAsks },
  around: Around,
): ClaimDecision<State, Event> => {
  const taken = rules.take(state, claim, around);
  if (isRefused(taken)) return { events: [], moves: [], state, refusal: taken };
  return {
    ...taken,
    moves: [{ ...keyOf(claim), from: null, to: 'PROVISIONAL', kept: taken.kept }],
    state: taken.events.reduce<State>((before, event) => rules.evolve(before, event), state),
  };
};

/** Gives back what an abandoned claim took. One that never arrived leaves a tombstone; one that is reverted stays as it
 *  is. Throws for a confirmed claim: two verdicts on one claim. */
export const revertClaim = <State, Event>(
  rules: ClaimRules<State, Event, never>,
  state: State | undefined,
  claim: ClaimKey,
  row: ClaimRow | undefined,
): ClaimDecision<State, Event> => {
  if (!row) return { events: [], moves: [{ ...keyOf(claim), from: null, to: 'REVERTED' }], state };
  switch (row.state) {
    case 'REVERTED':
      return { events: [], moves: [], state };
    case 'PROVISIONAL':
      return {
        ...given(rules, state, keyOf(claim), row, 'ABANDONED'),
        moves: [{ ...keyOf(claim), from: 'PROVISIONAL', to: 'REVERTED' }],
      };
    case 'CONFIRMED':
    case 'REFUNDED':
      throw new Error(`claim ${claim.claim_id} is ${row.state} and cannot be abandoned`);
    default:
      return row.state satisfies never;
  }
};

/** Reverts the claims that a new one replaces, then takes what it asks. `rows`: what is stored of those replaced. */
export const takeReplacing = <State, Event, Around>(
  rules: ClaimRules<State, Event, Around>,
  state: State,
  claim: ClaimKey & { asks: ClaimAsks; replaces: readonly string[] },
  rows: ReadonlyMap<string, ClaimRow>,
  around: Around,
): ClaimDecision<State, Event> => {
  const events: Event[] = [];
  const moves: ClaimMove[] = [];
  let before = state;
  for (const claim_id of claim.replaces) {
    const key = { redemption_id: claim.redemption_id, claim_id };
    const reverted = revertClaim(rules, before, key, rows.get(claim_id));
    events.push(...reverted.events);
    moves.push(...reverted.moves);
    before = reverted.state ?? before;
  }
  const taken = takeNew(rules, before, claim, around);
  return { ...taken, events: [...events, ...taken.events], moves: [...moves, ...taken.moves] };
};

/** Gives back what a confirmed claim took because its redemption is rolled back; a repeat changes nothing. Refuses
 *  `claim_abandoned` for claims that were never confirmed. Source: reference 03 §9. */
export const refundClaim = <State, Event>(
  rules: ClaimRules<State, Event, never>,
  state: State,
  claim: ClaimKey & { rollback_id: string },
  row: ClaimRow | undefined,
): ClaimDecision<State, Event> => {
  if (row?.state === 'REFUNDED')
    return { events: [], moves: [], state, ...(row.kept ? { kept: row.kept } : {}) };
  if (row?.state !== 'CONFIRMED')
    return { events: [], moves: [], state, refusal: claimAbandoned(claim.claim_id) };
  const { rollback_id } = claim;
  const back = given(rules, state, claim, row, 'ROLLED_BACK');
  const kept = back.kept === row.kept ? {} : { kept: back.kept };
  return { ...back, moves: [{ ...keyOf(claim), from: 'CONFIRMED', to: 'REFUNDED', rollback_id, ...kept }] };
};
