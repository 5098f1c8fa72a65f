import type { RedemptionSnapshot } from '@scrip/contracts/qualification';
import type { RowChange } from '@scrip/event-store';
import { listedColumnsOf } from '../redemption/redemption.aggregate';

/** The row that reads and listings find a rollback (`rr_`, `rrf_`) by; written together with its event. */
export const rollbackRow = (projectId: string, rollback: RedemptionSnapshot): RowChange => ({
  insert: 'rollbacks',
  values: { project_id: projectId, id: rollback.id, state: rollback, ...listedColumnsOf(rollback) },
});
