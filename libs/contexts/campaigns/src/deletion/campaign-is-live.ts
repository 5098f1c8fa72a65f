import type { RowChange } from '@scrip/event-store';

/** Holds a statement that creates a voucher of a campaign against the deletion of the campaign: `StaleRow` where it is deleted.
 *  Source: ADR 81. */
export const campaignIsLive = (projectId: string, campaignId: string): RowChange => ({
  holds: 'campaigns',
  key: { project_id: projectId, id: campaignId },
  expect: { deleted_at: null },
});
