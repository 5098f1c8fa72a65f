import { addressKey } from '@scrip/edge';
import { newId } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import type { AuditActor, AuditFact } from './audit-entry';
import { entryOf, storeEntriesAt, storeEntry, type StoredEntry } from './audit.table';

/** Networks whose refusals of an hour are told apart, for each user; and those against no user. Source: ADR 119. */
export const networksMax = 20;

/** A password or a code that was refused. */
export interface RefusalFact extends Pick<AuditFact, 'action'> {
  /** Whose it would have been; null: that of no user. */
  userId: string | null;
}

// Machine time: hours are those of the trail.
const thisHour = `date_trunc('hour', now(), 'UTC')`;

const ofThisHour = `SELECT FROM audit_refusals WHERE hour = ${thisHour} AND action = $1 AND user_id = $2`;

// The limit is soft: calls at one time may all find room. Machine time: see above.
const countSql = `
  INSERT INTO audit_refusals AS r (hour, action, user_id, network, times, first_at, last_at, first_entry)
  SELECT ${thisHour}, $1, $2,
    CASE WHEN EXISTS (${ofThisHour} AND network = $3) OR (SELECT count(*) FROM (${ofThisHour}) known) < ${networksMax}
      THEN $3 ELSE '' END,
    1, now(), now(), $4::jsonb
  ON CONFLICT (hour, action, user_id, network) DO UPDATE SET times = r.times + 1, last_at = now()
  RETURNING times`;

/** Counts a refusal, and stores the entry of the first one of its hour, user and network. */
export const storeRefusal = (
  database: DataSource,
  by: AuditActor,
  { action, userId }: RefusalFact,
): Promise<void> =>
  database.transaction(async (manager) => {
    const fact = { action, project_id: null, resource_type: 'user', resource_id: userId };
    const entry = entryOf(by, fact);
    const network = addressKey(entry.address ?? '');
    const values = [action, userId ?? '', network, JSON.stringify(entry)];
    const [row] = await manager.query<{ times: number }[]>(countSql, values);
    if (row?.times === 1) await storeEntry(manager, entry);
  });

interface StoredRefusals {
  network: string;
  times: number;
  first_at: Date;
  last_at: Date;
  first_entry: StoredEntry;
}

const toldAtOnce = 500;

const takeSql = `
  DELETE FROM audit_refusals WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM audit_refusals WHERE hour < ${thisHour} LIMIT ${toldAtOnce} FOR UPDATE SKIP LOCKED))
  RETURNING network, times, first_at, last_at, first_entry`;

const toldTogether = ({ network, times, first_at, last_at, first_entry }: StoredRefusals) => ({
  ...first_entry,
  ...(network === '' ? { address: null } : {}),
  ...{ id: newId('aud_'), at: last_at, session_id: null },
  changes: { times: times - 1, since: first_at },
});

/** Stores an entry for the further refusals of each hour that is over. */
export const tellRefusals = async (database: DataSource): Promise<void> => {
  for (;;) {
    const taken = await database.transaction(async (manager) => {
      const [rows] = await manager.query<[StoredRefusals[], number]>(takeSql);
      await storeEntriesAt(manager, rows.filter(({ times }) => times > 1).map(toldTogether));
      return rows.length;
    });
    if (taken < toldAtOnce) return;
  }
};
