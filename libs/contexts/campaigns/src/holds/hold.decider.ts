import type { VoucherEvent, VoucherHeld, VoucherHolds, VoucherHoldsEnded } from '@scrip/contracts/campaigns';
import type { HoldAsks, OwnerRefusal } from '@scrip/contracts/claims';
import type { Instant } from '@scrip/contracts/snapshot';
import { quantityAllows } from '@scrip/vouchers';
import { creditsSuffice } from '../gift/credits-claim';
import { isDeleted, voucherNotFound, type VoucherState } from '../voucher/voucher.decider';

/** What a session holds of a voucher. Credits: minor units. */
export interface Hold {
  uses: number;
  credits: number;
  expires_at: Instant;
}

/** Holds whose time is over, and when the next of the others ends; `next` null: there are no others. */
export interface ExpiredHolds<Of extends Hold = Hold> {
  holds: readonly Of[];
  next: Instant | null;
}

/** Whether a hold still stands in the way of others. */
export const isLive = ({ expires_at }: Pick<Hold, 'expires_at'>, now: Instant): boolean => expires_at > now;

/** What is held together with one hold more. */
export const withHold = (
  holds: VoucherHolds | null | undefined,
  { uses, credits, expires_at }: Hold,
): VoucherHolds =>
  holds
    ? {
        uses: holds.uses + uses,
        credits: holds.credits + credits,
        first_expiry: expires_at < holds.first_expiry ? expires_at : holds.first_expiry,
      }
    : { uses, credits, first_expiry: expires_at };

/** What is held without some holds that were counted; null for nothing. The first expiry stays: none of the others comes before. */
export const withoutHolds = (
  holds: VoucherHolds | null | undefined,
  ended: readonly Hold[],
): VoucherHolds | null => {
  if (!holds) return null;
  const uses = ended.reduce((left, one) => left - one.uses, holds.uses);
  const credits = ended.reduce((left, one) => left - one.credits, holds.credits);
  return uses > 0 ? { ...holds, uses, credits } : null;
};

const ended = (
  cause: VoucherHoldsEnded['data']['cause'],
  { count, holds, now }: { count: number; holds: VoucherHolds | null; now: Instant },
): VoucherHoldsEnded => ({ type: 'VoucherHoldsEnded', data: { cause, count, holds, ended_at: now } });

/** Takes expired holds out of what is held. Empty where nothing is held that could have expired. */
export const decideExpiry = (
  { expired, now }: { expired: ExpiredHolds; now: Instant },
  { holds }: VoucherState,
): VoucherHoldsEnded[] => {
  if (!holds || holds.first_expiry > now) return [];
  const others = withoutHolds(holds, expired.holds);
  const left = others && expired.next !== null ? { ...others, first_expiry: expired.next } : null;
  return [ended('EXPIRED', { count: expired.holds.length, holds: left, now })];
};

/** A session asks for a hold. `own`: what it holds already and is counted; null for nothing. `expired`: of other sessions. */
export interface HoldVoucher {
  asks: HoldAsks;
  own: Hold | null;
  expired: ExpiredHolds;
  expires_at: Instant;
  now: Instant;
}

/** Holds a use, and credits of a gift card, in place of what the session held. Refuses a deleted voucher, then by quantity, then by
 *  balance, each without what other sessions hold. Source: reference 03 §8. */
export const decideHold = (
  { asks, own, expired, expires_at, now }: HoldVoucher,
  state: VoucherState,
): VoucherEvent[] | OwnerRefusal => {
  const { voucher } = state;
  const { uses, credits = 0 } = asks;
  if (isDeleted(state)) return voucherNotFound(voucher.code);
  const expiries = decideExpiry({ expired, now }, state);
  const counted = expiries.length > 0 ? expiries[0]!.data.holds : (state.holds ?? null);
  const others = own ? withoutHolds(counted, [own]) : counted;
  const refusal =
    quantityAllows(voucher, others?.uses) ??
    (credits > 0 ? creditsSuffice(voucher, credits, others?.credits) : null);
  if (refusal) return refusal;
  const holds = withHold(others, { uses, credits, expires_at });
  return [
    ...expiries,
    { type: 'VoucherHeld', data: { cause: 'VALIDATED', uses, credits, expires_at, holds, held_at: now } },
  ];
};

/** Ends what one session holds, also of a deleted voucher. */
export const decideRelease = (
  { own, cause, now }: { own: Hold; cause: 'RELEASED' | 'REPLACED' | 'REDEEMED'; now: Instant },
  holds: VoucherHolds | undefined,
): [VoucherHoldsEnded] => [ended(cause, { count: 1, holds: withoutHolds(holds, [own]), now })];

/** Gives a session back what an abandoned redemption had used. */
export const restoredHold = (
  own: Hold,
  { holds }: Pick<VoucherState, 'holds'>,
  now: Instant,
): VoucherHeld => {
  const { uses, credits, expires_at } = own;
  const after = withHold(holds, own);
  return {
    type: 'VoucherHeld',
    data: { cause: 'RESTORED', uses, credits, expires_at, holds: after, held_at: now },
  };
};
