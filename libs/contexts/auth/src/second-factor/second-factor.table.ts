import type { SealedColumn } from '@scrip/service';
import type { Queries } from '../users/user.table';

/** The purpose of the key that seals secrets of authenticators. */
export const secondFactorsPurpose = 'second-factors';

/** Where they are stored. */
export const secondFactorsColumn: SealedColumn = {
  table: 'second_factors',
  id: ['user_id'],
  column: 'sealed_secret',
  purpose: secondFactorsPurpose,
  boundTo: (userId = '') => userId,
};

/** The second factor of a user, as it is stored. */
export interface StoredFactor {
  sealed_secret: string;
  /** It counts from then on. */
  confirmed: boolean;
  backup_codes_left: number;
}

/** Returns the second factor of a user; null for none. */
export const factorOf = async (database: Queries, userId: string): Promise<StoredFactor | null> => {
  const [row] = await database.query<StoredFactor[]>(
    `SELECT sealed_secret, confirmed, (SELECT count(*)::int FROM backup_codes WHERE user_id = $1) AS backup_codes_left
     FROM second_factors WHERE user_id = $1`,
    [userId],
  );
  return row ?? null;
};

/** Stores a secret that is not confirmed, in the place of an earlier one that was not. Returns false where one is confirmed. */
export const storeFactor = async (database: Queries, userId: string, sealed: string): Promise<boolean> => {
  const rows = await database.query<unknown[]>(
    `INSERT INTO second_factors AS f (user_id, sealed_secret) VALUES ($1, $2)
     ON CONFLICT (user_id) DO UPDATE SET sealed_secret = excluded.sealed_secret, last_step = 0
     WHERE NOT f.confirmed RETURNING 1`,
    [userId, sealed],
  );
  return rows.length > 0;
};

/** Uses up a step of a secret: it and those before it count no more. Returns false where they did not before, or the secret is another
 *  one by now. `confirm`: it counts from now on. */
export const useStep = async (
  database: Queries,
  { userId, sealed, step, confirm }: { userId: string; sealed: string; step: number; confirm: boolean },
): Promise<boolean> => {
  const [, used] = await database.query<[unknown[], number]>(
    `UPDATE second_factors SET last_step = $3, confirmed = true
     WHERE user_id = $1 AND sealed_secret = $2 AND last_step < $3 AND confirmed <> $4 RETURNING 1`,
    [userId, sealed, step, confirm],
  );
  return used === 1;
};

/** Locks the second factor of a user to the end of the transaction. Returns whether there is one that counts. */
export const lockFactor = async (database: Queries, userId: string): Promise<boolean> => {
  const rows = await database.query<{ confirmed: boolean }[]>(
    'SELECT confirmed FROM second_factors WHERE user_id = $1 FOR UPDATE',
    [userId],
  );
  return rows[0]?.confirmed === true;
};

/** Replaces the backup codes of a user, in a transaction that holds the lock of the second factor: a statement that waited for
 *  it would not see the codes that another call stored meanwhile. */
export const storeBackupCodes = async (
  database: Queries,
  userId: string,
  hashes: readonly Buffer[],
): Promise<void> => {
  await database.query('DELETE FROM backup_codes WHERE user_id = $1', [userId]);
  await database.query('INSERT INTO backup_codes (user_id, code_hash) SELECT $1, unnest($2::bytea[])', [
    userId,
    hashes,
  ]);
};

/** Uses up a backup code. Returns whether there was one. */
export const useBackupCode = async (database: Queries, userId: string, hash: Buffer): Promise<boolean> => {
  const [, used] = await database.query<[unknown[], number]>(
    'DELETE FROM backup_codes WHERE user_id = $1 AND code_hash = $2 RETURNING 1',
    [userId, hash],
  );
  return used === 1;
};

/** Takes the second factor and its codes away. Returns whether there was one that counted. */
export const deleteFactor = async (database: Queries, userId: string): Promise<boolean> => {
  const [rows] = await database.query<[{ confirmed: boolean }[], number]>(
    'DELETE FROM second_factors WHERE user_id = $1 RETURNING confirmed',
    [userId],
  );
  return rows[0]?.confirmed === true;
};
