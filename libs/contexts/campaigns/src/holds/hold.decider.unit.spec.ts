import type { VoucherEvent, VoucherHolds } from '@scrip/contracts/campaigns';
import { givenFor } from '@scrip/testing';
import { giftCardCreated } from '../gift/gift-card.fixture';
import { type VoucherState, evolveVoucher } from '../voucher/voucher.decider';
import {
  decideExpiry,
  decideHold,
  decideRelease,
  type Hold,
  type HoldVoucher,
  restoredHold,
  withHold,
  withoutHolds,
} from './hold.decider';

const given = givenFor<HoldVoucher, VoucherState, VoucherEvent>({
  decide: decideHold,
  evolve: evolveVoucher as never,
  initialState: () => undefined as never,
});

const now = '2026-03-10T10:00:00.000Z';
const later = '2026-03-17T10:00:00.000Z';
const yesterday = '2026-03-09T10:00:00.000Z';
const nothingExpired = { holds: [], next: later };

/** A card with 1,000 credits and so many uses, some of them taken. */
const card = (quantity: number | null, redeemed = 0): VoucherEvent =>
  giftCardCreated(1_000, { redemption: { quantity, redeemed_quantity: redeemed } });
const holdOf = (credits: number, expires_at = later): Hold => ({ uses: 1, credits, expires_at });
const heldEvent = (holds: VoucherHolds): VoucherEvent => ({
  type: 'VoucherHeld',
  data: { cause: 'VALIDATED', ...holdOf(0), holds, held_at: yesterday },
});
const totals = (uses: number, credits: number, first_expiry = later): VoucherHolds => ({
  uses,
  credits,
  first_expiry,
});
const ask = (credits = 0, more: Partial<HoldVoucher> = {}): HoldVoucher => ({
  asks: { uses: 1, ...(credits > 0 ? { credits } : {}) },
  own: null,
  expired: nothingExpired,
  expires_at: later,
  now,
  ...more,
});
const held = (credits: number, holds: VoucherHolds): VoucherEvent => ({
  type: 'VoucherHeld',
  data: { cause: 'VALIDATED', ...holdOf(credits), holds, held_at: now },
});

/** Reference 03 §8: `redeemed + locks of others + 1 ≤ quantity`, and `balance − locked by others ≥ requested` of 1,000 credits. */
test.each([
  // quantity, redeemed, held by all, own, credits asked, credits held by all, own credits, end
  [4, 0, 0, false, 0, 0, 0, 'held'],
  [4, 0, 3, false, 0, 0, 0, 'held'],
  [4, 0, 4, false, 0, 0, 0, 'quantity_exceeded'],
  [4, 0, 4, true, 0, 0, 0, 'held'],
  [4, 1, 2, false, 0, 0, 0, 'held'],
  [4, 1, 3, false, 0, 0, 0, 'quantity_exceeded'],
  [4, 1, 3, true, 0, 0, 0, 'held'],
  [4, 4, 0, false, 0, 0, 0, 'quantity_exceeded'],
  [4, 4, 1, true, 0, 0, 0, 'quantity_exceeded'],
  [null, 9, 9, false, 0, 0, 0, 'held'],
  [null, 0, 1, false, 400, 600, 0, 'held'],
  [null, 0, 1, false, 401, 600, 0, 'gift_amount_exceeded'],
  [null, 0, 2, true, 400, 800, 200, 'held'],
  [null, 0, 2, true, 401, 800, 200, 'gift_amount_exceeded'],
  [1, 0, 1, false, 401, 600, 0, 'quantity_exceeded'],
])(
  'of quantity %j, %j redeemed, %j held (own: %j), %j credits asked, %j held (own: %j): %s',
  (quantity, redeemed, uses, isOwn, asked, credits, ownCredits, end) => {
    const own = isOwn ? holdOf(ownCredits) : null;
    const past = uses > 0 ? [heldEvent(totals(uses, credits))] : [];
    const outcome = given(card(quantity, redeemed), ...past).when(ask(asked, { own }));
    if (end !== 'held') return outcome.thenRefused(end, { details: 'GIFT' });
    const others = withoutHolds(uses > 0 ? totals(uses, credits) : null, own ? [own] : []);
    return outcome.then(held(asked, withHold(others, holdOf(asked))));
  },
);

describe('a hold', () => {
  it('ends what has expired on the voucher, and takes its place', () => {
    const expired = { holds: [holdOf(900, yesterday), holdOf(50, yesterday)], next: null };
    given(card(2), heldEvent(totals(2, 950, yesterday)))
      .when(ask(1_000, { expired }))
      .then(
        { type: 'VoucherHoldsEnded', data: { cause: 'EXPIRED', count: 2, holds: null, ended_at: now } },
        held(1_000, totals(1, 1_000)),
      );
  });

  it('keeps in mind when the first of all expires', () => {
    const soon = '2026-03-10T10:00:01.000Z';
    given(card(null), heldEvent(totals(1, 0)))
      .when(ask(0, { expires_at: soon }))
      .then({
        type: 'VoucherHeld',
        data: {
          ...held(0, totals(2, 0, soon)).data,
          expires_at: soon,
        } as never,
      });
  });

  it('refuses a deleted voucher', () => {
    const { voucher } = (card(null) as Extract<VoucherEvent, { type: 'VoucherCreated' }>).data;
    const deleted: VoucherEvent = {
      type: 'VoucherDeleted',
      data: { voucher, campaign: null, deleted_at: yesterday, permanent: false } as never,
    };
    given(card(null), deleted).when(ask()).thenRefused('not_found');
  });
});

const stateWith = (holds?: VoucherHolds): VoucherState => ({
  ...evolveVoucher(undefined, card(4))!,
  ...(holds ? { holds } : {}),
});

describe('expiry', () => {
  it('ends nothing before the first of all holds can have expired', () => {
    expect(decideExpiry({ expired: nothingExpired, now }, stateWith(totals(1, 0, later)))).toEqual([]);
    expect(decideExpiry({ expired: nothingExpired, now }, stateWith())).toEqual([]);
  });

  it('leaves the others, and knows when the next of them expires', () => {
    const expired = { holds: [holdOf(100, yesterday)], next: later };
    const [ended] = decideExpiry({ expired, now }, stateWith(totals(3, 300, yesterday)));
    expect(ended!.data).toEqual({ cause: 'EXPIRED', count: 1, holds: totals(2, 200, later), ended_at: now });
  });

  it('happens at the instant itself', () => {
    const expired = { holds: [holdOf(0, now)], next: null };
    expect(decideExpiry({ expired, now }, stateWith(totals(1, 0, now)))[0]!.data.holds).toBeNull();
  });
});

it('ends what a session holds and leaves the others', () => {
  const [ended] = decideRelease({ own: holdOf(100), cause: 'RELEASED', now }, totals(2, 300));
  expect(ended.data).toEqual({ cause: 'RELEASED', count: 1, holds: totals(1, 200), ended_at: now });
});

it('gives back what an abandoned redemption had used up', () => {
  expect(restoredHold(holdOf(100), stateWith(totals(1, 200)), now).data).toEqual({
    cause: 'RESTORED',
    ...holdOf(100),
    holds: totals(2, 300),
    held_at: now,
  });
});

it('leaves no trace in the state once nothing is held', () => {
  const state = stateWith(totals(1, 0));
  const [ended] = decideRelease({ own: holdOf(0), cause: 'RELEASED', now }, state.holds);
  expect(evolveVoucher(state, ended)).toEqual(stateWith());
});
