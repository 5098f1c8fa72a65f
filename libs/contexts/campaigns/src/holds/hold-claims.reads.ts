import type { ProvisionalClaim } from '@scrip/claims';
import { runQuery } from '@scrip/event-store';
import type { EntityManager } from 'typeorm';
import type { StoredHold } from './stored-hold';

/** Returns the provisional claim that uses a hold up; null where none does any more.
 *  Machine time: the age of a claim. */
export const claimOfHold = async (
  manager: EntityManager,
  projectId: string,
  { voucher_id, claim_id }: StoredHold,
): Promise<ProvisionalClaim | null> => {
  const [claim] = await runQuery<ProvisionalClaim>(
    manager,
    `SELECT object_id, claim_id, redemption_id,
       (extract(epoch FROM clock_timestamp() - claimed_at) * 1000)::float8 AS age_ms
     FROM claims WHERE project_id = $1 AND object_id = $2 AND claim_id = $3 AND state = 'PROVISIONAL'`,
    [projectId, voucher_id, claim_id],
  );
  return claim ?? null;
};
