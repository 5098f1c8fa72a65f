import type { ClaimAsks, ClaimKey } from '@scrip/contracts/claims';
import type { RowChange } from '@scrip/event-store';
import { isRefused } from '@scrip/kernel';
import type { OwnerRefusal } from '@scrip/contracts/claims';
import { type ClaimMove, type ClaimRow, claimAbandoned } from './claim-state';

/** What a claim does to the stream of an object. Pure. `Around`: what else decides, the time among it. */
export interface ClaimRules<State, Event, Around> {
  /** Takes what the claim asks, or refuses. `kept` is stored with the claim, `rows` are written with the events. `replaces`: claims
   *  that were given back before without what their session held: that passes to this one. Throws for asks that are not
   *  served. */
  take(
    state: State,
    claim: ClaimKey & { asks: ClaimAsks; replaces?: readonly string[] },
    around: Around,
  ): { events: Event[]; kept: object; rows?: readonly RowChange[] } | OwnerRefusal;
  /** Gives back what the claim took. `beside`: what the owner's table reads with the claim. `rollback_id`: of a refund. `kept`: replaces
   *  what the claim keeps, where the repetition of a refund has to answer more than the state. */
  giveBack(
    state: State,
    claim: ClaimKey & { kept: object; beside?: unknown; rollback_id?: string },
    cause: 'ABANDONED' | 'ROLLED_BACK',
  ): { events: Event[]; kept?: object; rows?: readonly RowChange[] };
  /** Folds one event. */
  evolve(state: State | undefined, event: Event): State;
}

/** What is written, and the state after it. `refusal`: why nothing was taken; what was replaced is reverted all the
 *  same. */
export interface ClaimDecision<State, Event> {
  events: Event[];
  moves: ClaimMove[];
  rows: readonly RowChange[];
  state: State | undefined;
  kept?: object;
  refusal?: OwnerRefusal;
}

const keyOf = ({ redemption_id, claim_id }: ClaimKey): ClaimKey => ({ redemption_id, claim_id });

const given = <State, Event>(
  rules: ClaimRules<State, Event, never>,
  state: State | undefined,
  claim: ClaimKey & { rollback_id?: string },
  { kept, beside }: ClaimRow,
  cause: 'ABANDONED' | 'ROLLED_BACK',
): { events: Event[]; state: State; kept: object; rows: readonly RowChange[] } => {
  if (state === undefined || !kept) throw new Error(`claim ${claim.claim_id} has nothing to give back to`);
  const { rollback_id } = claim;
  const own = { ...keyOf(claim), kept, beside, ...(rollback_id === undefined ? {} : { rollback_id }) };
  const given = rules.giveBack(state, own, cause);
  return {
    events: given.events,
    rows: given.rows ?? [],
    state: given.events.reduce<State>((before, event) => rules.evolve(before, event), state),
    kept: given.kept ?? kept,
  };
};

/** Takes what a new claim asks. Source: architecture §8. */
export const takeNew = <State, Event, Around>(
  rules: ClaimRules<State, Event, Around>,
  state: State,
  claim: ClaimKey & { asks: ClaimAsks; replaces?: readonly string[] },
  around: Around,
): ClaimDecision<State, Event> => {
  const taken = rules.take(state, claim, around);
  if (isRefused(taken)) return { events: [], moves: [], rows: [], state, refusal: taken };
  return {
    ...taken,
    rows: taken.rows ?? [],
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
  if (!row) return { events: [], moves: [{ ...keyOf(claim), from: null, to: 'REVERTED' }], rows: [], state };
  switch (row.state) {
    case 'REVERTED':
      return { events: [], moves: [], rows: [], state };
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

/** Reverts claims one after another. `rows`: what is stored of them. */
const revertAll = <State, Event>(
  rules: ClaimRules<State, Event, never>,
  state: State,
  claims: readonly ClaimKey[],
  rows: ReadonlyMap<string, ClaimRow>,
): Omit<ClaimDecision<State, Event>, 'kept' | 'refusal'> & { state: State } => {
  const all = { events: [] as Event[], moves: [] as ClaimMove[], rows: [] as RowChange[], state };
  for (const claim of claims) {
    const reverted = revertClaim(rules, all.state, claim, rows.get(claim.claim_id));
    all.events.push(...reverted.events);
    all.moves.push(...reverted.moves);
    all.rows.push(...reverted.rows);
    all.state = reverted.state ?? all.state;
  }
  return all;
};

const withoutBeside = (rows: ReadonlyMap<string, ClaimRow>): ReadonlyMap<string, ClaimRow> =>
  new Map([...rows].map(([id, { beside: _, ...row }]) => [id, row]));

/** Reverts the claims that a new one replaces, then takes what it asks. `rows`: what is stored of those replaced. What a session
 *  held passes from a replaced claim to the new one, and back to the session where that is refused. */
export const takeReplacing = <State, Event, Around>(
  rules: ClaimRules<State, Event, Around>,
  state: State,
  claim: ClaimKey & { asks: ClaimAsks; replaces: readonly string[] },
  rows: ReadonlyMap<string, ClaimRow>,
  around: Around,
): ClaimDecision<State, Event> => {
  const { redemption_id } = claim;
  const replaced = claim.replaces.map((claim_id) => ({ redemption_id, claim_id }));
  const before = revertAll(rules, state, replaced, claim.asks.hold ? withoutBeside(rows) : rows);
  const taken = takeNew(rules, before.state, claim, around);
  if (taken.refusal) return { ...revertAll(rules, state, replaced, rows), refusal: taken.refusal };
  return {
    ...taken,
    events: [...before.events, ...taken.events],
    moves: [...before.moves, ...taken.moves],
    rows: [...before.rows, ...taken.rows],
  };
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
    return { events: [], moves: [], rows: [], state, ...(row.kept ? { kept: row.kept } : {}) };
  if (row?.state !== 'CONFIRMED')
    return { events: [], moves: [], rows: [], state, refusal: claimAbandoned(claim.claim_id) };
  const { rollback_id } = claim;
  const back = given(rules, state, claim, row, 'ROLLED_BACK');
  const kept = back.kept === row.kept ? {} : { kept: back.kept };
  return { ...back, moves: [{ ...keyOf(claim), from: 'CONFIRMED', to: 'REFUNDED', rollback_id, ...kept }] };
};
