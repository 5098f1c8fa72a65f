import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { EndpointEvent, WebhookDisabled, WebhookSnapshot } from '@scrip/contracts';
import { type AggregateStore, type EventStore, InjectEventStore, type RowChange } from '@scrip/event-store';
import { type Refusal, type RequestContext, isRefused } from '@scrip/kernel';
import type { DataSource, EntityManager } from 'typeorm';
import { WebhookSecrets } from '../webhook-secrets';
import { cancelWaiting } from '../delivery/sendout.rows';
import { endpointAggregate } from './endpoint.aggregate';
import {
  type EndpointChange,
  type EndpointState,
  createEndpoint,
  deleteEndpoint,
  disableEndpoint,
  updateEndpoint,
  webhookNotFound,
} from './endpoint.decider';

/** `headers` undefined: they stay as they are. */
type Change = EndpointChange & { id: string; headers: Record<string, string> | undefined };

/** Creates, changes and reads the endpoints of a project. */
@Injectable()
export class EndpointHandlers {
  private readonly endpoints: AggregateStore<EndpointState, EndpointEvent>;

  constructor(
    @InjectEventStore('webhooks') store: EventStore,
    @InjectDataSource('webhooks') private readonly database: DataSource,
    private readonly secrets: WebhookSecrets,
  ) {
    this.endpoints = store.aggregate(endpointAggregate);
  }

  /** Refuses `invalid_payload` beyond 50 endpoints. Repeated under one id it answers the first one's result. */
  create(context: RequestContext, change: Change): Promise<WebhookSnapshot | Refusal> {
    const projectId = context.project.id;
    return this.endpoints.executeLocked<WebhookSnapshot>({
      context,
      streamId: change.id,
      decide: async (state, read) => {
        const live = await countUnderLock(read, projectId);
        const decided = createEndpoint(state, { ...change, live, now: await databaseNow(read) });
        if (isRefused(decided) || decided.events.length === 0) return decided;
        const sealed = this.sealed(projectId, change) ?? null;
        const values = { project_id: projectId, webhook_id: change.id, sealed };
        return { ...decided, rows: [{ insert: 'endpoint_headers', values }] };
      },
    });
  }

  /** Refuses `not_found`. Deactivating cancels what waits. */
  async update(context: RequestContext, change: Change): Promise<WebhookSnapshot | Refusal> {
    const projectId = context.project.id;
    const answer = await this.endpoints.executeLocked<WebhookSnapshot>({
      context,
      streamId: change.id,
      decide: async (state, read) => {
        const decided = updateEndpoint(state, { ...change, now: await databaseNow(read) });
        const sealed = this.sealed(projectId, change);
        if (isRefused(decided) || sealed === undefined) return decided;
        const rows: RowChange[] = [
          {
            update: 'endpoint_headers',
            key: { project_id: projectId, webhook_id: change.id },
            set: { sealed },
          },
        ];
        return { ...decided, rows };
      },
    });
    if (!isRefused(answer) && !answer.active)
      await cancelWaiting(this.database, { projectId, webhookId: change.id });
    return answer;
  }

  /** Final; cancels what waits. Refuses `not_found`. */
  async delete(context: RequestContext, id: string): Promise<WebhookSnapshot | Refusal> {
    const answer = await this.endpoints.execute({
      context,
      streamId: id,
      decide: (state) => deleteEndpoint(state, id),
    });
    if (!isRefused(answer))
      await cancelWaiting(this.database, { projectId: context.project.id, webhookId: id });
    return answer;
  }

  /** Stops an endpoint that cannot be reached, and cancels what waits. */
  async disable(context: RequestContext, id: string, cause: WebhookDisabled['data']['cause']): Promise<void> {
    await this.endpoints.execute({ context, streamId: id, decide: (state) => disableEndpoint(state, cause) });
    await cancelWaiting(this.database, { projectId: context.project.id, webhookId: id });
  }

  /** Refuses `not_found`. */
  async get(context: RequestContext, id: string): Promise<WebhookSnapshot | Refusal> {
    const loaded = await this.endpoints.load(context.project.id, id);
    return !loaded || loaded.state.deleted ? webhookNotFound(id) : loaded.state.webhook;
  }

  /** Oldest first. */
  async list(context: RequestContext): Promise<WebhookSnapshot[]> {
    const rows = await this.database.query<{ state: EndpointState }[]>(
      'SELECT state FROM endpoints WHERE project_id = $1 AND NOT deleted ORDER BY created_at, id',
      [context.project.id],
    );
    return rows.map(({ state }) => state.webhook);
  }

  private sealed(projectId: string, { id, headers }: Change): string | null | undefined {
    if (headers === undefined) return undefined;
    return Object.keys(headers).length === 0 ? null : this.secrets.sealHeaders(projectId, id, headers);
  }
}

/** The project's endpoints; creations of one project count one after another. */
const countUnderLock = async (read: EntityManager, projectId: string): Promise<number> => {
  await read.query(`SELECT pg_advisory_xact_lock(hashtext('scrip.endpoints'), hashtext($1))`, [projectId]);
  const [row] = await read.query<{ live: number }[]>(
    'SELECT count(*)::int AS live FROM endpoints WHERE project_id = $1 AND NOT deleted',
    [projectId],
  );
  return row?.live ?? 0;
};

/** The clock that stamps facts too, so that "after the response" can be told. ISO with milliseconds. */
const databaseNow = async (read: EntityManager): Promise<string> => {
  const [row] = await read.query<{ now: Date }[]>('SELECT clock_timestamp() AS now');
  return (row?.now ?? new Date()).toISOString();
};
