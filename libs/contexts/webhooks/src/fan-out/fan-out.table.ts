import type { EntityManager } from 'typeorm';
import type { PublicEvent } from '../public-events/public-event';
import type { Sendout, SubscribedEndpoint } from './sendout';

/** Stores public events; existing ones stay unchanged. */
export const insertPublicEvents = async (
  manager: EntityManager,
  events: readonly PublicEvent[],
): Promise<void> => {
  await manager.query(
    `INSERT INTO public_events (id, project_id, kind, entity_id, group_id, event_source, data, happened_at)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::jsonb[], $7::text[],
       $8::timestamptz[])
     ON CONFLICT DO NOTHING`,
    [
      events.map(({ id }) => id),
      events.map(({ projectId }) => projectId),
      events.map(({ kind }) => kind),
      events.map(({ entityId }) => entityId),
      events.map(({ groupId }) => groupId),
      events.map(({ source }) => JSON.stringify(source)),
      events.map(({ data }) => data),
      events.map(({ happenedAt }) => happenedAt),
    ],
  );
};

/** Returns the active endpoints of projects. */
export const activeEndpoints = (
  manager: EntityManager,
  projectIds: readonly string[],
): Promise<SubscribedEndpoint[]> =>
  manager.query<SubscribedEndpoint[]>(
    `SELECT id, project_id AS "projectId", target_url AS "targetUrl", subscriptions
     FROM endpoints WHERE project_id = ANY($1) AND NOT deleted AND active ORDER BY id`,
    [projectIds],
  );

/** Stores sendouts with their bodies, in order. Returns the ids of endpoints that got a new one.
 *  Machine time: when deliveries are due. */
export const insertSendouts = async (
  manager: EntityManager,
  sendouts: readonly Sendout[],
  now: Date,
): Promise<string[]> => {
  const rows = await manager.query<{ webhook_id: string }[]>(
    `WITH made AS (
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
         $8::text[], $9::timestamptz[], $10::text[], $12::text[]) WITH ORDINALITY
       AS m(id, project_id, webhook_id, public_event_id, kind, entity_id, group_id, target_url, event_created_at, body,
         traceparent, nth)
     ), stored AS (
       INSERT INTO sendouts (id, project_id, webhook_id, public_event_id, kind, entity_id, group_id, target_url,
         event_created_at, created_at, state, next_attempt_at)
       SELECT id, project_id, webhook_id, public_event_id, kind, entity_id, group_id, target_url, event_created_at,
         $11::timestamptz, 'PENDING', now()
       FROM made ORDER BY nth
       ON CONFLICT DO NOTHING RETURNING id, webhook_id
     ), bodies AS (
       INSERT INTO sendout_payloads (sendout_id, body, traceparent, created_at)
       SELECT made.id, made.body, made.traceparent, $11::timestamptz FROM made JOIN stored USING (id)
     )
     SELECT DISTINCT webhook_id FROM stored ORDER BY webhook_id`,
    [
      sendouts.map(({ id }) => id),
      sendouts.map(({ event }) => event.projectId),
      sendouts.map(({ webhookId }) => webhookId),
      sendouts.map(({ event }) => event.id),
      sendouts.map(({ event }) => event.kind),
      sendouts.map(({ event }) => event.entityId),
      sendouts.map(({ event }) => event.groupId),
      sendouts.map(({ targetUrl }) => targetUrl),
      sendouts.map(({ event }) => event.happenedAt),
      sendouts.map(({ body }) => body),
      now,
      sendouts.map(({ event }) => event.traceparent),
    ],
  );
  return rows.map(({ webhook_id }) => webhook_id);
};
