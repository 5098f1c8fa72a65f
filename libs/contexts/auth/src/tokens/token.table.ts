import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { lookUp } from '@scrip/event-store';
import { batchLoader } from '@scrip/rpc';
import type { DataSource } from 'typeorm';
import { tokenHash } from '../keys/secret-hash';

/** Active tokens a project can have, and how long each lives. Source: reference 07 §16. */
export const tokenLimit = 1_000;
export const tokenLifetimeS = 900;

/** Active tokens of a project from which on its keys share what is left: one that has its part of all gets no more. */
const sharedFrom = 900;

const triesAtSlot = 60;

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
  has_share: boolean;
  had_room: boolean;
  expires_at: string | null;
}

// Two issuers that choose the same slot conflict on the primary key, and the second chooses again. So no counter is
// locked, and a project never has more rows than slots. A key's share is approximate: keys that issue at the same
// moment may each exceed it by one. It counts only where few slots are left, so that a key that is alone may have most of them, and
// still does not take all.
// Machine time: tokens live by it.
const issueSql = `
  WITH key AS (
    SELECT id FROM application_keys WHERE id = $3 AND project_id = $1 AND kind = 'server' AND NOT blocked
  ), share AS (
    SELECT (SELECT count(*) FROM access_tokens t WHERE t.project_id = $1 AND t.key_id = $3 AND t.expires_at > now())
      < ${tokenLimit} / greatest(count(*), 1)
      OR (SELECT count(*) FROM access_tokens t WHERE t.project_id = $1 AND t.expires_at > now()) < ${sharedFrom} AS has_share
    FROM application_keys WHERE project_id = $1 AND kind = 'server' AND NOT blocked
  ), room AS (
    SELECT slot FROM generate_series(1, ${tokenLimit}) AS slot, share
    WHERE share.has_share AND NOT EXISTS (SELECT 1 FROM access_tokens t WHERE t.project_id = $1 AND t.slot = slot.slot AND t.expires_at > now())
    ORDER BY random() LIMIT 1
  ), issued AS (
    INSERT INTO access_tokens AS t (project_id, slot, token_hash, key_id, scope, expires_at)
    SELECT $1, room.slot, $2, key.id, $4, now() + interval '${tokenLifetimeS} s' FROM room, key
    ON CONFLICT (project_id, slot) DO UPDATE SET
      token_hash = excluded.token_hash, key_id = excluded.key_id, scope = excluded.scope, expires_at = excluded.expires_at
    WHERE t.expires_at <= now()
    RETURNING floor(extract(epoch FROM expires_at))::bigint AS expires_at
  )
  SELECT EXISTS (SELECT 1 FROM key) AS key_usable, (SELECT has_share FROM share) AS has_share, EXISTS (SELECT 1 FROM room) AS had_room,
    (SELECT expires_at FROM issued) AS expires_at`;

/** Stores access tokens by their hashes. Nothing is cached, so that a revocation takes effect at once.
 *  Machine time: tokens live by it. */
@Injectable()
export class TokenStore {
  private readonly load: (token: string) => Promise<ActiveToken | null>;

  constructor(@InjectDataSource('auth') private readonly source: DataSource) {
    this.load = batchLoader((tokens) => this.findMany(tokens));
  }

  /** Stores a token. `full`: the project has 1,000 active ones. `share_full`: the project has 900 and the key as many as its share,
   *  which is 1,000 divided by the project's server-side keys. `key_gone`: the key was blocked or deleted. */
  async issue(
    token: string,
    of: { projectId: string; keyId: string; scope: string },
  ): Promise<{ expiresAt: number } | 'full' | 'share_full' | 'key_gone'> {
    for (let tried = 0; tried < triesAtSlot; tried += 1) {
      const [row]: Issued[] = await this.source.query(issueSql, [
        of.projectId,
        tokenHash(token),
        of.keyId,
        of.scope,
      ]);
      if (row?.expires_at != null) return { expiresAt: Number(row.expires_at) };
      if (!row?.key_usable) return 'key_gone';
      if (!row.has_share) return 'share_full';
      if (!row.had_room) return 'full';
    }
    return 'full';
  }

  /** Returns an active token; null when it is unknown, expired or revoked. */
  find(token: string): Promise<ActiveToken | null> {
    return this.load(token);
  }

  /** Revokes a token of a project. Returns whether it was active. */
  async revoke(token: string, projectId: string): Promise<boolean> {
    const [, revoked]: [unknown[], number] = await this.source.query(
      'DELETE FROM access_tokens WHERE token_hash = $1 AND project_id = $2 AND expires_at > now() RETURNING 1',
      [tokenHash(token), projectId],
    );
    return revoked === 1;
  }

  /** Deletes expired tokens and returns their number. */
  async prune(): Promise<number> {
    const [, pruned]: [unknown[], number] = await this.source.query(
      `DELETE FROM access_tokens WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM access_tokens WHERE expires_at <= now() LIMIT 5000 FOR UPDATE SKIP LOCKED)) RETURNING 1`,
    );
    return pruned;
  }

  private async findMany(tokens: readonly string[]): Promise<(ActiveToken | null)[]> {
    const hashes = tokens.map(tokenHash);
    const rows = await lookUp<TokenRow>(
      this.source,
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
