import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { EndpointEvent, WebhookDisabled, WebhookSnapshot } from '@scrip/contracts/webhooks';
import {
  type AggregateStore,
  type EventStore,
  InjectEventStore,
  type RowChange,
  type Decision,
  decisionOf,
} from '@scrip/event-store';
import { type RequestContext, isRefused } from '@scrip/kernel';
import { InjectListReader, type ListReader } from '@scrip/service';
import type { DataSource, EntityManager } from 'typeorm';
import type { WebhooksRefusalKey, WebhooksRefusal } from '../webhooks.refusals';
import { WebhookSecrets } from '../webhook-secrets';
import { cancelWaiting } from '../delivery/sendout.table';
import { endpointAggregate } from './endpoint.aggregate';
import {
  type EndpointChange,
  type EndpointCommand,
  type EndpointState,
  decideEndpoint,
  webhookNotFound,
} from './endpoint.decider';

/** `headers` undefined: unchanged. */
type Change = EndpointChange & { id: string; headers: Record<string, string> | undefined };

/** Creates, changes and reads the endpoints of a project. */
@Injectable()
export class EndpointHandlers {
  private readonly endpoints: AggregateStore<EndpointState, EndpointEvent>;

  constructor(
    @InjectEventStore('webhooks') store: EventStore,
    @InjectDataSource('webhooks') private readonly database: DataSource,
    @InjectListReader('webhooks') private readonly lists: ListReader,
    private readonly secrets: WebhookSecrets,
  ) {
    this.endpoints = store.aggregate(endpointAggregate);
  }

  /** Creates an endpoint; repeated under the same id, returns the first result. Refuses `invalid_payload` beyond 50
   *  endpoints. */
  create(context: RequestContext, change: Change): Promise<WebhookSnapshot | WebhooksRefusal> {
    const projectId = context.project.id;
    return this.endpoints.executeLocked<WebhookSnapshot, WebhooksRefusalKey>({
      context,
      streamId: change.id,
      decide: async (state, read) => {
        const live = await countUnderLock(read, projectId);
        const now = await databaseNow(read);
        const decision = this.decision({ type: 'CreateEndpoint', ...change, live, now }, state);
        if (isRefused(decision) || decision.events.length === 0) return decision;
        const sealed = this.sealed(projectId, change) ?? null;
        const values = { project_id: projectId, webhook_id: change.id, sealed };
        return { ...decision, rows: [{ insert: 'endpoint_headers', values }] };
      },
    });
  }

  /** Changes an endpoint. Deactivating cancels waiting sendouts. Refuses `not_found`, and `invalid_payload` where stored
   *  headers would go to another origin. */
  async update(context: RequestContext, change: Change): Promise<WebhookSnapshot | WebhooksRefusal> {
    const projectId = context.project.id;
    const answer = await this.endpoints.executeLocked<WebhookSnapshot, WebhooksRefusalKey>({
      context,
      streamId: change.id,
      decide: async (state, read) => {
        const sealed = this.sealed(projectId, change);
        const storesHeaders = await hasHeaders(read, projectId, change.id);
        const headers = { storesHeaders, sendsHeaders: sealed !== undefined };
        const now = await databaseNow(read);
        const decision = this.decision({ type: 'UpdateEndpoint', ...change, ...headers, now }, state);
        if (isRefused(decision) || sealed === undefined) return decision;
        const rows: RowChange[] = [
          {
            update: 'endpoint_headers',
            key: { project_id: projectId, webhook_id: change.id },
            set: { sealed },
          },
        ];
        return { ...decision, rows };
      },
    });
    if (!isRefused(answer) && !answer.active)
      await cancelWaiting(this.database, { projectId, webhookId: change.id });
    return answer;
  }

  /** Deletes an endpoint for good and cancels waiting sendouts. Refuses `not_found`. */
  async delete(context: RequestContext, id: string): Promise<WebhookSnapshot | WebhooksRefusal> {
    const answer = await this.endpoints.execute({
      context,
      streamId: id,
      decide: (state) => this.decision({ type: 'DeleteEndpoint', id }, state),
    });
    if (!isRefused(answer))
      await cancelWaiting(this.database, { projectId: context.project.id, webhookId: id });
    return answer;
  }

  /** Disables an endpoint that cannot be reached and cancels waiting sendouts. */
  async disable(context: RequestContext, id: string, cause: WebhookDisabled['data']['cause']): Promise<void> {
    await this.endpoints.execute({
      context,
      streamId: id,
      decide: (state) => {
        const events = decideEndpoint({ type: 'DisableEndpoint', cause }, state);
        return isRefused(events) ? events : { events, answer: null };
      },
    });
    await cancelWaiting(this.database, { projectId: context.project.id, webhookId: id });
  }

  /** Refuses `not_found`. */
  async get(context: RequestContext, id: string): Promise<WebhookSnapshot | WebhooksRefusal> {
    const loaded = await this.endpoints.load(context.project.id, id);
    return !loaded || loaded.state.deleted ? webhookNotFound(id) : loaded.state.webhook;
  }

  /** Oldest first. */
  async list(context: RequestContext): Promise<WebhookSnapshot[]> {
    const rows = await this.lists.rows<{ state: EndpointState }>(context, {
      text: 'SELECT state FROM endpoints WHERE project_id = $1 AND NOT deleted ORDER BY created_at, id',
      values: [context.project.id],
    });
    return rows.map(({ state }) => state.webhook);
  }

  private decision(
    command: EndpointCommand,
    state: EndpointState | undefined,
  ): Decision<EndpointEvent, WebhookSnapshot> | WebhooksRefusal {
    return decisionOf(endpointAggregate, state, decideEndpoint(command, state), ({ webhook }) => webhook);
  }

  private sealed(projectId: string, { id, headers }: Change): string | null | undefined {
    if (headers === undefined) return undefined;
    return Object.keys(headers).length === 0 ? null : this.secrets.sealHeaders(projectId, id, headers);
  }
}

/** Returns the number of the project's endpoints, under a lock: creations of one project run one after another. */
const countUnderLock = async (read: EntityManager, projectId: string): Promise<number> => {
  await read.query(`SELECT pg_advisory_xact_lock(hashtext('scrip.endpoints'), hashtext($1))`, [projectId]);
  const [row] = await read.query<{ live: number }[]>(
    'SELECT count(*)::int AS live FROM endpoints WHERE project_id = $1 AND NOT deleted',
    [projectId],
  );
  return row?.live ?? 0;
};

const hasHeaders = async (read: EntityManager, projectId: string, webhookId: string): Promise<boolean> => {
  const [row] = await read.query<{ sealed: string | null }[]>(
    'SELECT sealed FROM endpoint_headers WHERE project_id = $1 AND webhook_id = $2',
    [projectId, webhookId],
  );
  return row?.sealed != null;
};

/** Returns the time of the clock that also stamps facts, so that facts after the response can be recognised. ISO with
 *  milliseconds.
 *  Machine time: endpoints hear of what is recorded after them. */
const databaseNow = async (read: EntityManager): Promise<string> => {
  const [row] = await read.query<{ now: Date }[]>('SELECT clock_timestamp() AS now');
  return (row?.now ?? new Date()).toISOString();
};
