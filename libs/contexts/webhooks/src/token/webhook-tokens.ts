import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { WebhookSecrets } from '../webhook-secrets';

/** A project's sealed tokens; `previous_sealed` only during the grace period of a rotation. */
export interface TokenRow {
  sealed: string;
  previous_sealed: string | null;
}

/** The columns of a `TokenRow`.
 *  Machine time: secrets live by it. */
export const tokenColumns = `sealed, CASE WHEN previous_until > now() THEN previous_sealed END AS previous_sealed`;

/** `whsec_` and base64 of 32 random bytes. Source: reference 06 §5.1. */
export const newWebhookToken = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** The signing tokens of projects.
 *  Machine time: secrets live by it. */
@Injectable()
export class WebhookTokens {
  constructor(
    @InjectDataSource('webhooks') private readonly database: DataSource,
    private readonly secrets: WebhookSecrets,
  ) {}

  /** Returns the tokens to sign with, the newest first: two during the grace period of a rotation. The first call
   *  creates the token. */
  async of(projectId: string): Promise<[string, ...string[]]> {
    const row =
      (await this.read([projectId])).get(projectId) ?? (await this.make([projectId])).get(projectId);
    if (!row) throw new Error(`the webhook token of ${projectId} is gone`);
    return this.opened(projectId, row);
  }

  /** Returns the newest token of each project, by its id; makes those that are missing. */
  async newestOf(projectIds: readonly string[]): Promise<Record<string, string>> {
    const known = await this.read(projectIds);
    const missing = projectIds.filter((id) => !known.has(id));
    const made = missing.length === 0 ? [] : await this.make(missing);
    return Object.fromEntries([...known, ...made].map(([id, row]) => [id, this.opened(id, row)[0]]));
  }

  /** Decrypts the tokens of a project's row. */
  opened(projectId: string, { sealed, previous_sealed }: TokenRow): [string, ...string[]] {
    const tokens = [sealed, previous_sealed].filter((text) => text !== null);
    return tokens.map((text) => this.secrets.openToken(projectId, text)) as [string, ...string[]];
  }

  /** Replaces the token and returns the new one. The previous one signs too for `graceHours` (0–72). */
  async rotate(projectId: string, graceHours: number): Promise<string> {
    await this.of(projectId);
    const token = newWebhookToken();
    await this.database.query(
      `UPDATE webhook_tokens SET sealed = $2, previous_sealed = sealed,
         previous_until = now() + make_interval(hours => $3::int), created_at = now() WHERE project_id = $1`,
      [projectId, this.secrets.sealToken(projectId, token), graceHours],
    );
    return token;
  }

  private async read(projectIds: readonly string[]): Promise<Map<string, TokenRow>> {
    const rows = await this.database.query<(TokenRow & { project_id: string })[]>(
      `SELECT project_id, ${tokenColumns} FROM webhook_tokens WHERE project_id = ANY($1)`,
      [projectIds],
    );
    return new Map(rows.map((row) => [row.project_id, row]));
  }

  /** Of several simultaneous first calls one creates the token, and all return it. */
  private async make(projectIds: readonly string[]): Promise<Map<string, TokenRow>> {
    await this.database.query(
      `INSERT INTO webhook_tokens (project_id, sealed) SELECT * FROM unnest($1::text[], $2::text[]) AS made (project_id, sealed)
       ORDER BY project_id ON CONFLICT DO NOTHING`,
      [projectIds, projectIds.map((id) => this.secrets.sealToken(id, newWebhookToken()))],
    );
    return this.read(projectIds);
  }
}
