import type { Queries } from '../users/user.table';

/** Days after the last sign-in from there that a network of a user is known. Source: reference 07 §2.5. */
const knownDays = 90;

/** Whether a user signed in from a network lately. Machine time: it says how long ago. */
export const isKnownNetwork = async (
  database: Queries,
  userId: string,
  network: Buffer,
): Promise<boolean> => {
  const rows = await database.query<unknown[]>(
    `SELECT 1 FROM known_networks
     WHERE user_id = $1 AND network = $2 AND seen_at > now() - interval '${knownDays} d'`,
    [userId, network],
  );
  return rows.length > 0;
};

/** Notes that a user signed in from a network. Machine time: it only says when. */
export const noteNetwork = async (database: Queries, userId: string, network: Buffer): Promise<void> => {
  await database.query(
    `INSERT INTO known_networks (user_id, network, seen_at) VALUES ($1, $2, now())
     ON CONFLICT (user_id, network) DO UPDATE SET seen_at = now()`,
    [userId, network],
  );
};

/** Deletes what counts no longer. Machine time: see above. */
export const pruneNetworks = async (database: Queries): Promise<void> => {
  await database.query(
    `DELETE FROM known_networks WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM known_networks WHERE seen_at < now() - interval '${knownDays} d'
       LIMIT 5000 FOR UPDATE SKIP LOCKED))`,
  );
};
