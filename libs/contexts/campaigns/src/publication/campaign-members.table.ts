import { runQuery } from '@scrip/event-store';
import type { EntityManager } from 'typeorm';

/** A customer's first publication in a campaign. */
export interface Membership {
  project_id: string;
  campaign_id: string;
  customer_id: string;
  publication_id: string;
}

/** Lets a customer join a campaign, in the caller's transaction: other transactions that do so for the same customer wait until it
 *  ends. Returns the publication by which the customer had joined before, null where this one is the first. */
export const join = async (
  manager: EntityManager,
  { project_id, campaign_id, customer_id, publication_id }: Membership,
): Promise<string | null> => {
  const key = [project_id, campaign_id, customer_id];
  const joined = await runQuery(
    manager,
    `INSERT INTO campaign_members (project_id, campaign_id, customer_id, publication_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING RETURNING 1`,
    [...key, publication_id],
  );
  if (joined.length > 0) return null;
  const [earlier] = await runQuery<{ publication_id: string }>(
    manager,
    `SELECT publication_id FROM campaign_members
     WHERE project_id = $1 AND campaign_id = $2 AND customer_id = $3`,
    key,
  );
  if (!earlier)
    throw new Error(`customer ${customer_id} neither joins campaign ${campaign_id} nor has joined it`);
  return earlier.publication_id;
};
