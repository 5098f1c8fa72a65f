import type { RowChange } from '@scrip/event-store';
import type { VoucherState } from '../voucher/voucher.decider';

/** Counts a deleted code of a code order, with the event of its deletion: the campaign's stream, which counted it, does not
 *  hear of it. Nothing for codes that were added singly: those are counted where they are stored. Source: ADR 79. */
export const deletedCodeCounted = (projectId: string, { voucher, definition }: VoucherState): RowChange[] =>
  definition && voucher.campaign_id !== null
    ? [
        {
          increment: 'deleted_codes',
          key: { project_id: projectId, campaign_id: voucher.campaign_id },
          by: { count: 1 },
        },
      ]
    : [];
