import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { coalesce } from '@scrip/rpc';
import type { DataSource } from 'typeorm';
import { tokenHash } from '../keys/secret-hash';

/** Active tokens a project can have, and how long each lives. Source: spec 07 §16. */
export const tokenLimit = 1_000;
export const tokenLifetimeS = 900;

const attemptsAtSlot = 60;

/** An active token. */
export interface ActiveToken {
  projectId: string;
  keyId: string;
  scope: string;
  /** Unix seconds. */
  expiresAt: number;
  /** Seconds left, 1 to 900. */
  expiresIn: number;
}

interface TokenRow {
  token_hash: Buffer;
  project_id: string;
  key_id: string;
  scope: string;
  expires_at: string;
  expires_in: string;
}

interface Issued {
  key_usable: boolean;
  had_room: boolean;
  expires_at: string | null;
}

// Two issuers that choose one slot meet at the primary key: the second finds the slot taken and chooses again. So no
// count has to be locked, and a project never has more rows than slots.
const issueSql = `
  WITH key AS (
    SELECT id FROM application_keys WHERE id = $3 AND project_id = $1 AND kind = 'server' AND NOT blocked
  ), room AS (
    SELECT slot FROM generate_series(1, ${tokenLimit}) AS slot
    WHERE NOT EXISTS (SELECT 1 FROM access_tokens t WHERE t.project_id = $1 AND t.slot = slot.slot AND t.expires_at > now())
    ORDER BY random() LIMIT 1
  ), issued AS (
    INSERT INTO access_tokens AS t (project_id, slot, token_hash, key_id, scope, expires_at)
    SELECT $1, room.slot, $2, key.id, $4, now() + interval '${tokenLifetimeS} s' FROM room, key
    ON CONFLICT (project_id, slot) DO UPDATE SET
      token_hash = excluded.token_hash, key_id = excluded.key_id, scope = excluded.scope, expires_at = excluded.expires_at
    WHERE t.expires_at <= now()
    RETURNING floor(extract(epoch FROM expires_at))::bigint AS expires_at
  )
  SELECT EXISTS (SELECT 1 FROM key) AS key_usable, EXISTS (SELECT 1 FROM room) AS had_room,
    (SELECT expires_at FROM issued) AS expires_at`;

/** Access tokens; only their hashes are kept, and nothing is cached, so that a revocation counts at once. */
@Injectable()
export class TokenStore {
  private readonly load: (token: string) => Promise<ActiveToken | null>;

  constructor(@InjectDataSource('auth') private readonly source: DataSource) {
    this.load = coalesce((tokens) => this.findMany(tokens));
  }

  /** Stores a token. `full`: the project has 1,000 active ones. `key_gone`: the key was blocked or deleted. */
  async issue(
    token: string,
    of: { projectId: string; keyId: string; scope: string },
  ): Promise<{ expiresAt: number } | 'full' | 'key_gone'> {
    for (let attempt = 0; attempt < attemptsAtSlot; attempt += 1) {
      const [row]: Issued[] = await this.source.query(issueSql, [
        of.projectId,
        tokenHash(token),
        of.keyId,
        of.scope,
      ]);
      if (row?.expires_at != null) return { expiresAt: Number(row.expires_at) };
      if (!row?.key_usable) return 'key_gone';
      if (!row.had_room) return 'full';
    }
    return 'full';
  }

  /** An active token; null when unknown, expired or revoked. */
  find(token: string): Promise<ActiveToken | null> {
    return this.load(token);
  }

  /** Ends a token of a project; whether there was an active one. */
  async revoke(token: string, projectId: string): Promise<boolean> {
    const [, revoked]: [unknown[], number] = await this.source.query(
      'DELETE FROM access_tokens WHERE token_hash = $1 AND project_id = $2 AND expires_at > now() RETURNING 1',
      [tokenHash(token), projectId],
    );
    return revoked === 1;
  }

  /** Deletes expired tokens; how many. */
  async prune(): Promise<number> {
    const [, pruned]: [unknown[], number] = await this.source.query(
      `DELETE FROM access_tokens WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM access_tokens WHERE expires_at <= now() LIMIT 5000 FOR UPDATE SKIP LOCKED)) RETURNING 1`,
    );
    return pruned;
  }

  private async findMany(tokens: readonly string[]): Promise<(ActiveToken | null)[]> {
    const hashes = tokens.map(tokenHash);
    const rows: TokenRow[] = await this.source.query(
      `SELECT token_hash, project_id, key_id, scope, floor(extract(epoch FROM expires_at))::bigint AS expires_at,
         ceil(extract(epoch FROM expires_at - now()))::bigint AS expires_in
       FROM access_tokens WHERE token_hash = ANY($1) AND expires_at > now()`,
      [hashes],
    );
    const found = new Map(rows.map((row) => [row.token_hash.toString('hex'), row]));
    return hashes.map((hash) => activeToken(found.get(hash.toString('hex'))));
  }
}

const activeToken = (row: TokenRow | undefined): ActiveToken | null =>
  row
    ? {
        projectId: row.project_id,
        keyId: row.key_id,
        scope: row.scope,
        expiresAt: Number(row.expires_at),
        expiresIn: Number(row.expires_in),
      }
    : null;
