import { derivedIds, type IdSource } from '@scrip/kernel';
import { randomUUID } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import { completeKeys, storeAnswers, storedBody } from './complete-keys';
import type { IdempotencyRow, StoredAnswer } from './idempotency-row';

const leaseS = 60;
const keptHours = 24;

/** What a key names, before it is known whether it was used. */
export interface KeyedRequest {
  projectId: string;
  key: string;
  fingerprint: string;
}

/** What taking a key came to. `held`: run the command. `in_flight`: another execution does. `other_request`: the key
 *  belongs to another request. */
export type Taken =
  | { kind: 'held'; row: HeldRow }
  | { kind: 'answered'; answer: StoredAnswer }
  | { kind: 'in_flight' }
  | { kind: 'other_request' };

interface Stored {
  fingerprint: string;
  command_id: string;
  attempt: number;
  created_ms: string;
  lease_id: string;
  status: number | null;
  body: string | null;
  resumed: boolean;
}

const answerOf = ({ status, body }: Pick<Stored, 'status' | 'body'>): StoredAnswer | null =>
  status === null ? null : { status, body: body === null ? null : (JSON.parse(body) as unknown) };

const takeSql = `
  INSERT INTO idempotency_keys AS k
    (project_id, key, fingerprint, command_id, lease_id, lease_until, created_at)
  VALUES ($1, $2, $3, $4, $5, now() + interval '${leaseS} s', now())
  ON CONFLICT (project_id, key) DO UPDATE SET
    lease_id = excluded.lease_id,
    lease_until = excluded.lease_until,
    fingerprint = excluded.fingerprint,
    command_id = CASE WHEN k.created_at <= now() - interval '${keptHours} h' THEN excluded.command_id ELSE k.command_id END,
    attempt = CASE WHEN k.created_at <= now() - interval '${keptHours} h' THEN 1 ELSE k.attempt END,
    created_at = CASE WHEN k.created_at <= now() - interval '${keptHours} h' THEN now() ELSE k.created_at END,
    status = NULL,
    body = NULL,
    customers = NULL
  WHERE k.lease_until <= now()
    AND (k.created_at <= now() - interval '${keptHours} h' OR (k.status IS NULL AND k.fingerprint = excluded.fingerprint))
  RETURNING attempt, command_id, command_id <> $4 AS resumed,
    floor(extract(epoch FROM created_at) * 1000)::bigint AS created_ms`;

/** A row while its lease is ours. */
export class HeldRow implements IdempotencyRow {
  private stored: StoredAnswer | null = null;
  private lost = false;

  constructor(
    readonly projectId: string,
    readonly key: string,
    readonly commandId: string,
    readonly leaseId: string,
    private readonly createdAt: Date,
    readonly resumed: boolean,
    private current: number,
    private readonly source: DataSource,
  ) {}

  get attempt(): number {
    return this.current;
  }

  ids(): IdSource {
    return derivedIds({ createdAt: this.createdAt, commandId: this.commandId, attempt: this.current });
  }

  commandIds(): IdSource {
    return derivedIds({ createdAt: this.createdAt, commandId: this.commandId });
  }

  async completeInTransaction(manager: EntityManager, answer: StoredAnswer): Promise<boolean> {
    const [completed] = await completeKeys(manager, [{ row: this, answer }]);
    return completed!;
  }

  noteCompletion(answer: StoredAnswer | null): void {
    this.stored = answer;
    this.lost ||= answer === null;
  }

  /** Whether `completeInTransaction` stored exactly this answer; its transaction must have ended well. */
  hasStored({ status, body }: StoredAnswer): boolean {
    return this.stored?.status === status && storedBody(this.stored.body) === storedBody(body);
  }

  /** Whether the command learned that another execution went on: then its answer (409) says so and is not stored. */
  get isLost(): boolean {
    return this.lost;
  }

  async raiseAttempt(): Promise<boolean> {
    const raised: [unknown[], number] = await this.source.query(
      `UPDATE idempotency_keys SET attempt = attempt + 1, lease_until = now() + interval '${leaseS} s'
       WHERE project_id = $1 AND key = $2 AND command_id = $3 AND attempt = $4 AND lease_id = $5 AND status IS NULL
       RETURNING 1`,
      [this.projectId, this.key, this.commandId, this.current, this.leaseId],
    );
    if (raised[1] !== 1) {
      this.lost = true;
      return false;
    }
    this.current += 1;
    return true;
  }

  /** The one statement that ends a command; false when the attempt is no longer this one or an answer stands. */
  async write(runner: Pick<EntityManager, 'query'>, answer: StoredAnswer): Promise<boolean> {
    const [stored] = await storeAnswers(runner, [{ row: this, answer }]);
    return stored!;
  }
}

/** Key rows of one context. Source: architecture §8. */
export class IdempotencyStore {
  constructor(private readonly source: DataSource) {}

  /** Takes a key: a new one, one whose lease ended without an answer, or one older than 24 hours. */
  async take({ projectId, key, fingerprint }: KeyedRequest): Promise<Taken> {
    const leaseId = randomUUID();
    const [row]: Stored[] = await this.source.query(takeSql, [
      projectId,
      key,
      fingerprint,
      randomUUID(),
      leaseId,
    ]);
    if (row) {
      const createdAt = new Date(Number(row.created_ms));
      const held = new HeldRow(
        projectId,
        key,
        row.command_id,
        leaseId,
        createdAt,
        row.resumed,
        row.attempt,
        this.source,
      );
      return { kind: 'held', row: held };
    }
    const stands = await this.find(projectId, key);
    // Pruned between the two statements: as if it were being worked on; the caller comes again.
    if (!stands) return { kind: 'in_flight' };
    if (stands.fingerprint !== fingerprint) return { kind: 'other_request' };
    const answer = answerOf(stands);
    return answer ? { kind: 'answered', answer } : { kind: 'in_flight' };
  }

  /** Stores the answer, and tells the one that stands: ours, or what another execution stored before; null when the
   *  row went on to another attempt. */
  async complete(row: HeldRow, answer: StoredAnswer): Promise<StoredAnswer | null> {
    if (await row.write(this.source, answer)) return answer;
    const stands = await this.find(row.projectId, row.key);
    return stands?.command_id === row.commandId ? answerOf(stands) : null;
  }

  /** Lets the next repetition run the command again; nothing happens when the lease is no longer ours. */
  async endLease(row: HeldRow): Promise<void> {
    await this.source.query(
      'UPDATE idempotency_keys SET lease_until = now() WHERE project_id = $1 AND key = $2 AND lease_id = $3 AND status IS NULL',
      [row.projectId, row.key, row.leaseId],
    );
  }

  /** Deletes up to `limit` rows past their 24 hours; how many went. Marks of erased customers go with the last answers that they
   *  may concern. */
  async prune(limit = 1_000): Promise<number> {
    await this.source.query(
      `DELETE FROM idempotency_erased WHERE erased_at <= now() - interval '${keptHours} h'`,
    );
    const deleted: [unknown[], number] = await this.source.query(
      `DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM idempotency_keys
         WHERE created_at <= now() - interval '${keptHours} h' AND lease_until <= now() LIMIT $1 FOR UPDATE SKIP LOCKED))
       RETURNING 1`,
      [limit],
    );
    return deleted[1];
  }

  private async find(projectId: string, key: string): Promise<Stored | undefined> {
    const [row]: Stored[] = await this.source.query(
      'SELECT fingerprint, command_id, status, body FROM idempotency_keys WHERE project_id = $1 AND key = $2',
      [projectId, key],
    );
    return row;
  }
}
