import type { OrderDifference } from '@scrip/order-calculation';
import type { RedemptionClaims, RedemptionCounts, RedemptionSnapshot } from './redemption.snapshot';

type Data = Record<string, unknown>;

/** An order claim of version 1: minor units that the redemption took off, items by line index. */
interface OrderClaimV1 {
  claim_id: string;
  order_id: string;
  discount_amount: number;
  items_discount_amounts: number[];
}

const differenceOf = ({ discount_amount, items_discount_amounts }: OrderClaimV1): OrderDifference => {
  const items = items_discount_amounts.flatMap((discount, index) =>
    discount === 0 ? [] : { index, discount_amount: discount },
  );
  return {
    ...(discount_amount === 0 ? {} : { discount_amount }),
    ...(items.length === 0 ? {} : { items }),
  };
};

/** The order claim of version 2 says what the redemption did to the order; version 1 knew discount amounts only. */
const claimsWithDifference = (claims: RedemptionClaims | null): RedemptionClaims | null => {
  const order = claims?.order as OrderClaimV1 | RedemptionClaims['order'] | undefined;
  if (!claims || !order || !('items_discount_amounts' in order)) return claims;
  const { claim_id, order_id } = order;
  return { ...claims, order: { claim_id, order_id, difference: differenceOf(order) } };
};

/** Claims of versions 1 and 2: vouchers of campaigns. */
interface VoucherClaims {
  vouchers?: { claim_id: string; voucher_id: string }[];
}

/** Claims of version 3 are at any owner; those of older versions were at campaigns. */
const claimsAtParticipants = (claims: RedemptionClaims | null): RedemptionClaims | null => {
  const { vouchers, ...rest } = (claims ?? {}) as VoucherClaims & RedemptionClaims;
  if (!claims || !vouchers) return claims;
  const redeemables = vouchers.map(({ claim_id, voucher_id }) => ({
    participant: 'campaigns',
    claim_id,
    object_id: voucher_id,
  }));
  return { ...rest, redeemables };
};

/** Claims in the newest form, from a stored state of any release. */
export const currentClaims = (claims: RedemptionClaims | null): RedemptionClaims | null =>
  claimsAtParticipants(claimsWithDifference(claims));

const withParticipants = (data: Data): Data => ({
  ...data,
  claims: claimsAtParticipants(data['claims'] as RedemptionClaims | null),
});

const withDifference = (data: Data): Data => ({
  ...data,
  claims: claimsWithDifference(data['claims'] as RedemptionClaims | null),
});

/** Counts of a redemption of version 3 and before: those of a single, its day in UTC; null for stacks. */
export const countsOfOlder = (redemption: RedemptionSnapshot): RedemptionCounts | null => {
  const { related_object_type: object, related_object_id: object_id, order, voucher } = redemption;
  if (redemption.redemption !== null || redemption.stacked || object === 'redemption') return null;
  return {
    day: redemption.date.slice(0, 10),
    redeemables: [
      {
        campaign_id: voucher?.campaign_id ?? null,
        object,
        object_id,
        order_amount: order?.amount ?? 0,
        discount_amount: order?.total_applied_discount_amount ?? 0,
      },
    ],
  };
};

const withCounts = (data: Data): Data => ({
  ...data,
  counts: countsOfOlder(data['redemption'] as RedemptionSnapshot),
});

/** Version 4 knew no unit budgets: such a redemption consumed none. */
const withoutUnits = (data: Data): Data => data;

/** Version 1 of failed redemptions did not say which rules were violated. */
const withoutBecause = (data: Data): Data => data;

/** Version 1 had the order in the redemption too. */
const orderOnce = (data: Data): Data => {
  const { order: _, ...redemption } = data['redemption'] as Data;
  return { ...data, redemption };
};

/** Version 2 knew no gift cards. */
const withoutTransaction = (data: Data): Data => ({ ...data, transaction: null });

/** Version 1 did not record the mode: WITH_ORDER was the only one. */
const withOrderMode = (data: Data): Data => ({
  ...data,
  rollback: { ...(data['rollback'] as Data), rollback_order_mode: 'WITH_ORDER' },
});

/** Version 2 did not tell what limits give back. */
const withoutCounts = (data: Data): Data => ({ ...data, counts: null });

/** Version 1 recorded only refused rollbacks that are announced. */
const announcedRollback = (data: Data): Data => ({ ...data, announced: true });

/** Steps from stored versions of redemption events to the newest, by event type, oldest first. */
export const redemptionUpcasters: Record<string, readonly ((data: Data) => Data)[]> = {
  RedemptionSucceeded: [withDifference, withParticipants, withCounts, withoutUnits],
  RedemptionFailed: [withoutBecause],
  RedemptionRollbackStarted: [withOrderMode, withoutCounts],
  RedemptionRolledBack: [orderOnce, withoutTransaction],
  RedemptionRollbackFailed: [announcedRollback],
};
