import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { notFound, refuse, type RequestContext } from '@scrip/kernel';
import { InjectListReader, type ListReader } from '@scrip/service';
import type { DataSource, EntityManager } from 'typeorm';
import type { WebhooksRefusal } from '../webhooks.refusals';
import { LaneJobs } from '../delivery/lane-jobs';
import type { FullSendout, LoggedAttempt, LoggedSendout } from './sendout.wire';

export interface SendoutFilters {
  status?: string;
  type?: string;
  source_id?: string;
  event_id?: string;
  created_at?: { before?: string; after?: string };
  starting_after_id?: string;
  limit: number;
}

const columns = `id, webhook_id, public_event_id, kind, group_id, target_url, event_created_at, created_at, state,
  attempts, next_attempt_at, finished_at`;

/** Reads the log of deliveries and requests manual attempts.
 *  Machine time: a delivery is due at once. */
@Injectable()
export class SendoutReads {
  constructor(
    @InjectDataSource('webhooks') private readonly database: DataSource,
    @InjectListReader('webhooks') private readonly lists: ListReader,
    private readonly lanes: LaneJobs,
  ) {}

  /** Newest first, ties by id. Refuses `invalid_query_params` for an unknown cursor. */
  async list(context: RequestContext, filters: SendoutFilters): Promise<LoggedSendout[] | WebhooksRefusal> {
    const projectId = context.project.id;
    const { starting_after_id: cursor, created_at: created = {} } = filters;
    if (cursor !== undefined && !(await this.exists(projectId, cursor))) {
      return refuse('invalid_query_params', `Cannot find webhook sendout with id ${cursor}`);
    }
    return this.lists.rows<LoggedSendout>(context, {
      text: `SELECT ${columns} FROM sendouts
       WHERE project_id = $1
         AND ($2::text IS NULL OR state = $2) AND ($3::text IS NULL OR kind = $3)
         AND ($4::text IS NULL OR webhook_id = $4) AND ($5::text IS NULL OR public_event_id = $5)
         AND ($6::timestamptz IS NULL OR created_at < $6) AND ($7::timestamptz IS NULL OR created_at > $7)
         AND ($8::text IS NULL OR (created_at, id) < (SELECT created_at, id FROM sendouts WHERE id = $8))
       ORDER BY created_at DESC, id DESC LIMIT $9`,
      values: [
        projectId,
        filters.status ?? null,
        filters.type ?? null,
        filters.source_id ?? null,
        filters.event_id ?? null,
        created.before ?? null,
        created.after ?? null,
        cursor ?? null,
        filters.limit,
      ],
    });
  }

  /** Refuses `not_found`. */
  async get(projectId: string, id: string): Promise<FullSendout | WebhooksRefusal> {
    const [sendout] = await this.database.query<(LoggedSendout & { body: string | null })[]>(
      `SELECT ${columns}, (SELECT body FROM sendout_payloads WHERE sendout_id = s.id) AS body
       FROM sendouts s WHERE project_id = $1 AND id = $2`,
      [projectId, id],
    );
    if (!sendout) return notFound('webhook_sendout', id, 'webhook sendout');
    const log = await this.database.query<LoggedAttempt[]>(
      `SELECT attempt, target_url, started_at, duration_ms, succeeded, http_status, error, response_excerpt
       FROM sendout_attempts WHERE sendout_id = $1 ORDER BY attempt`,
      [id],
    );
    return { ...sendout, log };
  }

  /** Makes a sendout due now for one manual attempt, which the schedule does not count. If it fails, the sendout
   *  returns to its earlier state. Refuses `not_found`, `sendout_in_delivery`, `webhook_inactive`,
   *  `payload_expired`. */
  async retry(projectId: string, id: string): Promise<WebhooksRefusal | null> {
    const webhookId = await this.database.transaction((manager) => this.makeDue(manager, projectId, id));
    if (webhookId === null) return this.whyNot(projectId, id);
    this.lanes.wake([webhookId]);
    return null;
  }

  private async makeDue(manager: EntityManager, projectId: string, id: string): Promise<string | null> {
    const [asked] = await manager.query<{ webhook_id: string }[]>(
      `WITH asked AS (
         UPDATE sendouts s SET state = 'RETRYING', next_attempt_at = now(), finished_at = NULL,
           resume_state = coalesce(s.resume_state, s.state),
           resume_at = CASE WHEN s.resume_state IS NULL THEN s.next_attempt_at ELSE s.resume_at END
         WHERE project_id = $1 AND id = $2 AND state <> 'DELIVERING'
           AND EXISTS (SELECT 1 FROM endpoints e WHERE e.project_id = $1 AND e.id = s.webhook_id AND e.active)
           AND EXISTS (SELECT 1 FROM sendout_payloads p WHERE p.sendout_id = s.id)
         RETURNING webhook_id
       ) SELECT webhook_id FROM asked`,
      [projectId, id],
    );
    if (!asked) return null;
    await this.lanes.add([{ projectId, webhookId: asked.webhook_id }], manager);
    return asked.webhook_id;
  }

  private async whyNot(projectId: string, id: string): Promise<WebhooksRefusal> {
    const [row] = await this.database.query<{ state: string; payload: boolean }[]>(
      `SELECT state, EXISTS (SELECT 1 FROM sendout_payloads WHERE sendout_id = s.id) AS payload
       FROM sendouts s WHERE project_id = $1 AND id = $2`,
      [projectId, id],
    );
    if (!row) return notFound('webhook_sendout', id, 'webhook sendout');
    if (row.state === 'DELIVERING') return refuse('sendout_in_delivery', `Sendout ${id} is being delivered`);
    if (!row.payload) return refuse('payload_expired', `The payload of sendout ${id} is no longer stored`);
    return refuse('webhook_inactive', `The webhook of sendout ${id} is not active`);
  }

  private async exists(projectId: string, id: string): Promise<boolean> {
    const [row] = await this.database.query<unknown[]>(
      'SELECT 1 FROM sendouts WHERE project_id = $1 AND id = $2',
      [projectId, id],
    );
    return row !== undefined;
  }
}
