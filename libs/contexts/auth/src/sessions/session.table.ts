import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { newId, Secret } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import { newSecret, tokenHash } from '../keys/secret-hash';
import type { Queries } from '../users/user.table';

/** How long a session lives without a call, and at most; how long an entered password counts. Source: reference 07 §2.5. */
export const idleS = 8 * 3_600;
export const lifetimeS = 7 * 24 * 3_600;
export const passwordFreshS = 600;

/** Sessions of one user; the one that was used least lately ends when another begins. */
const sessionsMax = 20;
const agentUnitsMax = 200;
const touchAfterS = 60;

/** A session that lives. */
export interface Session {
  id: string;
  user_id: string;
  address: string;
  agent: string;
  created_at: Date;
  seen_at: Date;
  expires_at: Date;
  /** Until then the password needs not be entered again. */
  password_until: Date;
  password_is_fresh: boolean;
}

/** From where a session is begun. */
export interface SessionOrigin {
  address: string;
  agent: string;
}

/** A session with the text that its cookie holds, which can never be read again. */
export interface BegunSession {
  session: Session;
  token: Secret;
}

// Machine time: sessions live by it, here and below.
const columns = `id, user_id, address, agent, created_at, seen_at, expires_at,
  password_at + interval '${passwordFreshS} s' AS password_until,
  password_at + interval '${passwordFreshS} s' > now() AS password_is_fresh`;
// Machine time: see above.
const alive = `expires_at > now() AND seen_at > now() - interval '${idleS} s'`;

// Machine time: see above. The row of the user is locked in the same way as by a change of it, so that a password that is replaced meanwhile begins no
// session.
const beginSql = `
  WITH known AS (
    SELECT id FROM users WHERE id = $1 AND is_active AND password_hash = $2 FOR UPDATE
  ), pushed AS (
    DELETE FROM sessions WHERE id IN (
      SELECT s.id FROM sessions s, known WHERE s.user_id = known.id ORDER BY s.seen_at DESC OFFSET ${sessionsMax - 1})
  )
  INSERT INTO sessions (id, token_hash, user_id, address, agent, expires_at)
  SELECT $3, $4, known.id, $5, $6, now() + interval '${lifetimeS} s' FROM known
  RETURNING ${columns}`;

/** Ends every session of a user, in the transaction that changes the user. */
export const endSessionsOf = async (database: Queries, userId: string): Promise<void> => {
  await database.query('DELETE FROM sessions WHERE user_id = $1', [userId]);
};

/** Ends the sessions of a user but one. */
export const endOtherSessionsOf = async (
  database: Queries,
  userId: string,
  sessionId: string,
): Promise<void> => {
  await database.query('DELETE FROM sessions WHERE user_id = $1 AND id <> $2', [userId, sessionId]);
};

/** Stores sessions by the hashes of their tokens. Nothing is cached: a session that ended counts no longer. Machine time:
 *  sessions live by it. */
@Injectable()
export class SessionStore {
  constructor(@InjectDataSource('auth') private readonly database: DataSource) {}

  /** Begins a session; null where the user is blocked or has another password by now. */
  async begin(
    userId: string,
    passwordHash: string,
    { address, agent }: SessionOrigin,
    database: Queries = this.database,
  ): Promise<BegunSession | null> {
    const token = newSecret();
    const [session] = await database.query<Session[]>(beginSql, [
      userId,
      passwordHash,
      newId('ses_'),
      tokenHash(token),
      address,
      agent.slice(0, agentUnitsMax),
    ]);
    return session ? { session, token: new Secret(token) } : null;
  }

  /** Returns the session of a token; null where it is unknown or over. Notes once a minute that it is used. */
  async find(token: string): Promise<Session | null> {
    const [session] = await this.database.query<Session[]>(
      `SELECT ${columns} FROM sessions WHERE token_hash = $1 AND ${alive}`,
      [tokenHash(token)],
    );
    if (!session) return null;
    await this.database.query(
      `UPDATE sessions SET seen_at = now()
       WHERE id = $1 AND seen_at < now() - interval '${touchAfterS} s' AND ${alive}`,
      [session.id],
    );
    return session;
  }

  /** Returns a session that lives, by its id. */
  async byId(id: string): Promise<Session | null> {
    const [session] = await this.database.query<Session[]>(
      `SELECT ${columns} FROM sessions WHERE id = $1 AND ${alive}`,
      [id],
    );
    return session ?? null;
  }

  /** Those of a user that live, the one used last first. */
  ofUser(userId: string): Promise<Session[]> {
    return this.database.query<Session[]>(
      `SELECT ${columns} FROM sessions WHERE user_id = $1 AND ${alive} ORDER BY seen_at DESC, id`,
      [userId],
    );
  }

  /** Notes that the password was entered again, and returns the session; null where it is over. */
  async refresh(id: string): Promise<Session | null> {
    const [rows] = await this.database.query<[Session[], number]>(
      `UPDATE sessions SET password_at = now(), seen_at = now() WHERE id = $1 AND ${alive} RETURNING ${columns}`,
      [id],
    );
    return rows[0] ?? null;
  }

  /** Ends a session of a user. Returns whether there was one. */
  async end(userId: string, id: string, database: Queries = this.database): Promise<boolean> {
    const [, ended] = await database.query<[unknown[], number]>(
      `DELETE FROM sessions WHERE id = $1 AND user_id = $2 AND ${alive} RETURNING 1`,
      [id, userId],
    );
    return ended === 1;
  }

  /** Deletes what is over. Returns the number of sessions. */
  async prune(): Promise<number> {
    const [, pruned] = await this.database.query<[unknown[], number]>(
      `DELETE FROM sessions WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM sessions WHERE NOT (${alive}) LIMIT 5000 FOR UPDATE SKIP LOCKED)) RETURNING 1`,
    );
    return pruned;
  }
}
