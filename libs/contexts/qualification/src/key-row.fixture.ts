import type { IdempotencyRow } from '@scrip/edge';
import { derivedIds } from '@scrip/kernel';
import type { DataSource } from 'typeorm';

/** A key row as the edge holds it for a command, whose stored answer tests can read. */
export interface DerivedKey extends IdempotencyRow {
  stored(): Promise<{ status: number; body: unknown } | null>;
}

const createdAt = new Date('2026-06-15T10:00:00.000Z');

/** Takes the key, or takes it over with `resumed`, as the edge does once a lease has ended. */
export const keyRow = async (
  dataSource: DataSource,
  key: string,
  { resumed = false }: { resumed?: boolean } = {},
): Promise<DerivedKey> => {
  const [row] = await dataSource.query<{ attempt: number; command_id: string }[]>(
    `INSERT INTO idempotency_keys AS k (project_id, key, fingerprint, command_id, lease_id, lease_until, created_at)
     VALUES ('proj_1', $1, '', gen_random_uuid(), gen_random_uuid(), now() + interval '60 s', now())
     ON CONFLICT (project_id, key) DO UPDATE SET lease_until = excluded.lease_until RETURNING attempt, command_id`,
    [key],
  );
  const commandId = row!.command_id;
  let attempt = row!.attempt;
  const changed = async (sql: string, ...values: unknown[]): Promise<boolean> =>
    (await dataSource.query<[unknown[], number]>(sql, [key, attempt, ...values]))[1] === 1;
  return {
    projectId: 'proj_1',
    key,
    commandId,
    resumed,
    get attempt() {
      return attempt;
    },
    ids: () => derivedIds({ createdAt, commandId, attempt }),
    commandIds: () => derivedIds({ createdAt, commandId }),
    completeInTransaction: () => Promise.reject(new Error('keys are completed together')),
    noteCompletion: () => undefined,
    raiseAttempt: async () => {
      const raised = await changed(
        'UPDATE idempotency_keys SET attempt = attempt + 1 WHERE key = $1 AND attempt = $2 AND status IS NULL',
      );
      if (raised) attempt += 1;
      return raised;
    },
    stored: async () => {
      const [found] = await dataSource.query<{ status: number | null; body: string }[]>(
        'SELECT status, body FROM idempotency_keys WHERE key = $1',
        [key],
      );
      return found?.status ? { status: found.status, body: JSON.parse(found.body) as unknown } : null;
    },
  };
};
