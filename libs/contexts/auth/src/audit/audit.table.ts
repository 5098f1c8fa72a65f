import type { ToldFact } from '@scrip/contracts/auth';
import type { RowChange, SqlValue } from '@scrip/event-store';
import { newId } from '@scrip/kernel';
import type { Queries } from '../users/user.table';
import type { AuditActor, AuditActorType, AuditEntry, AuditFact } from './audit-entry';

/** An entry whose time is that of its transaction. */
export type StoredEntry = Omit<AuditEntry, 'at' | 'changes'> & { changes: object };

const actorOf = ({
  caller,
  user,
  apiKey,
}: Pick<AuditActor, 'caller' | 'user' | 'apiKey'>): {
  actor_type: AuditActorType;
  actor_id: string | null;
} => {
  const user_id = caller?.user_id ?? user?.id ?? null;
  if (user_id !== null) return { actor_type: 'user', actor_id: user_id };
  const key_id = caller?.key_id ?? apiKey?.id ?? null;
  if (key_id !== null) return { actor_type: 'api_key', actor_id: key_id };
  return { actor_type: caller ? 'unknown' : 'operator', actor_id: null };
};

/** Returns the entry of what a caller does. */
export const entryOf = (by: AuditActor, { changes = {}, ...fact }: AuditFact): StoredEntry => ({
  id: newId('aud_'),
  ...actorOf(by),
  session_id: by.caller?.session_id ?? null,
  address: by.caller?.address ?? null,
  request_id: by.requestId,
  ...fact,
  changes,
});

/** The row of an entry, for the commit that does what it says. */
export const auditRow = (by: AuditActor, fact: AuditFact): RowChange => ({
  insert: 'audit_entries',
  values: entryOf(by, fact) as unknown as Record<string, SqlValue>,
});

const columns = [
  ...['id', 'actor_type', 'actor_id', 'session_id', 'address', 'request_id'],
  ...['action', 'project_id', 'resource_type', 'resource_id', 'changes'],
] as const;

const storeEntries = async (database: Queries, entries: readonly StoredEntry[]): Promise<void> => {
  if (entries.length === 0) return;
  await database.query(
    `INSERT INTO audit_entries (${columns.join(', ')})
     SELECT ${columns.join(', ')} FROM jsonb_populate_recordset(NULL::audit_entries, $1::jsonb)`,
    [JSON.stringify(entries)],
  );
};

/** Stores an entry. */
export const storeEntry = (database: Queries, entry: StoredEntry): Promise<void> =>
  storeEntries(database, [entry]);

/** Stores entries under times of their own; the same again changes nothing. */
export const storeEntriesAt = async (
  database: Queries,
  entries: readonly (StoredEntry & { at: Date | string })[],
): Promise<void> => {
  if (entries.length === 0) return;
  await database.query(
    `INSERT INTO audit_entries (at, ${columns.join(', ')})
     SELECT at, ${columns.join(', ')} FROM jsonb_populate_recordset(NULL::audit_entries, $1::jsonb)
     ON CONFLICT (id) DO NOTHING`,
    [JSON.stringify(entries)],
  );
};

/** Stores entries, in the transaction that does what they say. */
export const storeAudit = (database: Queries, by: AuditActor, facts: readonly AuditFact[]): Promise<void> =>
  storeEntries(
    database,
    facts.map((fact) => entryOf(by, fact)),
  );

const prunedAtOnce = 5_000;

/** Deletes entries of before `days` days, 5,000 at a time. Machine time: how long they are kept. */
export const pruneAudit = async (database: Queries, days: number): Promise<void> => {
  for (;;) {
    const [, pruned] = await database.query<[unknown[], number]>(
      `DELETE FROM audit_entries WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM audit_entries WHERE at < now() - $1::int * interval '1 day'
         ORDER BY at LIMIT ${prunedAtOnce} FOR UPDATE SKIP LOCKED)) RETURNING 1`,
      [days],
    );
    if (pruned < prunedAtOnce) return;
  }
};

const namedBy = (userId: string | null, keyId: string | null): Pick<AuditActor, 'user' | 'apiKey'> => ({
  user: userId === null ? null : { id: userId },
  apiKey: keyId === null ? null : { id: keyId, name: '' },
});

/** Stores what events of other contexts say, under their times; the same again changes nothing. */
export const storeTold = (database: Queries, told: readonly ToldFact[]): Promise<void> =>
  storeEntriesAt(
    database,
    told.map(({ event_id, recorded_at, request_id, user_id, key_id, ...fact }) => ({
      ...entryOf({ requestId: request_id, ...namedBy(user_id, key_id) }, fact),
      ...{ id: `aud_${event_id.replaceAll('-', '')}`, at: recorded_at },
    })),
  );
