import type { RedemptionClaims, RedemptionEvent, RedemptionSnapshot } from '@scrip/contracts';
import type { AggregateDefinition, SqlValue } from '@scrip/event-store';

/** One redemption, failed attempt or parent. While `rollback` is set and the redemption SUCCEEDED, refunds are under
 *  way. */
export interface RedemptionState {
  redemption: RedemptionSnapshot;
  /** Null for a failed attempt. */
  claims: RedemptionClaims | null;
  /** The one rollback that won, under way or done. */
  rollback: { rollback: RedemptionSnapshot; started_at: string; finished: boolean } | null;
}

/** Folds a redemption's events. Total. */
export const evolveRedemption = (
  state: RedemptionState | undefined,
  event: RedemptionEvent,
): RedemptionState => {
  switch (event.type) {
    case 'RedemptionSucceeded':
      return { redemption: event.data.redemption, claims: event.data.claims, rollback: null };
    case 'RedemptionFailed':
      return { redemption: event.data.redemption, claims: null, rollback: null };
    case 'RedemptionRollbackStarted':
      return { ...state!, rollback: { ...event.data, finished: false } };
    case 'RedemptionRolledBack':
      return {
        claims: state?.claims ?? null,
        redemption: event.data.redemption,
        rollback: {
          rollback: event.data.rollback,
          started_at: state?.rollback?.started_at ?? event.data.rollback.date,
          finished: true,
        },
      };
    case 'RedemptionRollbackFailed':
      return state!;
  }
};

/** What listings sort and filter by, of redemptions and rollbacks alike. Source: spec 03 §10. */
export const listedColumnsOf = (entry: RedemptionSnapshot) => ({
  created_at: entry.date,
  object: entry.object,
  result: entry.result,
  customer_id: entry.customer_id,
  tracking_id: entry.tracking_id,
  voucher_code: entry.voucher?.code ?? null,
  campaign_name: entry.voucher?.campaign ?? null,
  related_object_id: entry.related_object_id,
  related_object_parent_id: entry.voucher?.campaign_id ?? null,
  parent_redemption_id: entry.redemption,
  failure_code: entry.failure_code ?? null,
  user_login: null,
});

type Listed = ReturnType<typeof listedColumnsOf>;

const listed = (column: keyof Listed, type = 'text') => ({
  type,
  of: ({ redemption }: RedemptionState): SqlValue => listedColumnsOf(redemption)[column],
});

/** Streams of redemptions; the folded state answers reads. */
export const redemptionAggregate: AggregateDefinition<RedemptionState, RedemptionEvent> = {
  aggregate: 'redemption',
  table: 'redemptions',
  evolve: evolveRedemption,
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
