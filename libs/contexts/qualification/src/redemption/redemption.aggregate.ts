import {
  type RedemptionClaims,
  type RedemptionCounts,
  type RedemptionEvent,
  type RedemptionRolledBack,
  type RedemptionSnapshot,
  countsOfOlder,
  currentClaims,
  redemptionUpcasters,
} from '@scrip/contracts/qualification';
import type { AggregateDefinition, SqlValue } from '@scrip/event-store';

/** One redemption, failed redemption or parent. While `rollback` is set and the redemption SUCCEEDED, refunds are under
 *  way. */
export interface RedemptionState {
  redemption: RedemptionSnapshot;
  /** Null for a failed redemption. */
  claims: RedemptionClaims | null;
  /** What limits count of it, from its record to the start of its rollback; absent where they count nothing. */
  counts?: RedemptionCounts;
  /** The one rollback that won, under way or done. */
  rollback: { rollback: RedemptionSnapshot; started_at: string; finished: boolean } | null;
}

/** A stack's child keeps its step of the calculation. */
const orderAfterRollback = (
  state: RedemptionState,
  { redemption, rollback }: RedemptionRolledBack['data'],
): RedemptionSnapshot['order'] => (redemption.redemption === null ? rollback.order : state.redemption.order);

const withoutCounts = ({ counts: _, ...rest }: RedemptionState): RedemptionState => rest;

/** Folds a redemption's events. Total: returns undefined for events before the first one, never throws or decides. */
export const evolveRedemption = (
  state: RedemptionState | undefined,
  event: RedemptionEvent,
): RedemptionState | undefined => {
  switch (event.type) {
    case 'RedemptionSucceeded': {
      const { redemption, claims, counts } = event.data;
      return { redemption, claims, ...(counts ? { counts } : {}), rollback: null };
    }
    case 'RedemptionFailed':
      return { redemption: event.data.redemption, claims: null, rollback: null };
    case 'RedemptionRollbackStarted': {
      const { rollback, started_at } = event.data;
      return state && { ...withoutCounts(state), rollback: { rollback, started_at, finished: false } };
    }
    case 'RedemptionRolledBack': {
      const { redemption, rollback } = event.data;
      return (
        state && {
          claims: state.claims,
          redemption: { ...redemption, order: orderAfterRollback(state, event.data) },
          rollback: { rollback, started_at: state.rollback?.started_at ?? rollback.date, finished: true },
        }
      );
    }
    case 'RedemptionRollbackFailed':
      return state;
    default:
      return event satisfies never;
  }
};

/** What listings sort and filter by, of redemptions and rollbacks alike. Source: reference 03 §10. */
export const listedColumnsOf = (entry: RedemptionSnapshot) => ({
  created_at: entry.date,
  object: entry.object,
  result: entry.result,
  customer_id: entry.customer_id,
  tracking_id: entry.tracking_id,
  voucher_code: entry.voucher?.code ?? null,
  campaign_name: entry.voucher?.campaign ?? entry.promotion_tier?.campaign.name ?? null,
  related_object_id: entry.related_object_id,
  related_object_parent_id: entry.voucher?.campaign_id ?? entry.promotion_tier?.campaign_id ?? null,
  parent_redemption_id: entry.redemption,
  failure_code: entry.failure_code ?? null,
  user_login: null,
});

type Listed = ReturnType<typeof listedColumnsOf>;

const listed = (column: keyof Listed, type = 'text') => ({
  type,
  of: ({ redemption }: RedemptionState): SqlValue => listedColumnsOf(redemption)[column],
});

/** The state of a row, in the shape that its events have by now. A release that did not record the mode left it out of
 *  rollbacks under way: WITH_ORDER. */
const fromRow = ({ state }: Record<string, unknown>): RedemptionState | undefined => {
  if (!state) return undefined;
  const row = state as RedemptionState;
  const counts = row.counts ?? (row.rollback || !row.claims ? null : countsOfOlder(row.redemption));
  const stored = { ...row, claims: currentClaims(row.claims), ...(counts ? { counts } : {}) };
  if (!stored.rollback || stored.rollback.finished || stored.rollback.rollback.rollback_order_mode)
    return stored;
  const rollback: RedemptionSnapshot = { ...stored.rollback.rollback, rollback_order_mode: 'WITH_ORDER' };
  return { ...stored, rollback: { ...stored.rollback, rollback } };
};

/** Streams of redemptions; the folded state answers reads. */
export const redemptionAggregate: AggregateDefinition<RedemptionState, RedemptionEvent> = {
  aggregate: 'redemption',
  table: 'redemptions',
  evolve: evolveRedemption,
  upcasters: redemptionUpcasters,
  snapshotEvents: ['RedemptionSucceeded', 'RedemptionFailed'],
  fromRow,
  columns: {
    created_at: listed('created_at', 'timestamptz'),
    object: listed('object'),
    result: listed('result'),
    customer_id: listed('customer_id'),
    tracking_id: listed('tracking_id'),
    voucher_code: listed('voucher_code'),
    campaign_name: listed('campaign_name'),
    related_object_id: listed('related_object_id'),
    related_object_parent_id: listed('related_object_parent_id'),
    parent_redemption_id: listed('parent_redemption_id'),
    failure_code: listed('failure_code'),
    user_login: listed('user_login'),
    rolling_back_since: {
      type: 'timestamptz',
      of: ({ rollback }) => (rollback && !rollback.finished ? rollback.started_at : null),
    },
  },
};
