import { type ErasedCustomer, erasedIn } from '@scrip/contracts/customers';
import type { EntityManager } from 'typeorm';
import type { PublicEvent } from '../public-events/public-event';

const lock = `hashtext('webhooks.erasure')`;
const eventsTogether = 200;

/** Marks customers as erased, after the transactions that may not see it have ended. */
export const markErased = async (
  manager: EntityManager,
  erased: readonly ErasedCustomer[],
): Promise<void> => {
  await manager.query(`SELECT pg_advisory_xact_lock(${lock})`);
  await manager.query(
    `INSERT INTO erased_customers (project_id, customer_id)
     SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING`,
    [erased.map(({ projectId }) => projectId), erased.map(({ customerId }) => customerId)],
  );
};

/** Returns the public events as they may be stored: without the persons of erased customers. Keeps a mark from being set until the
 *  transaction ends. */
export const withoutErased = async (
  manager: EntityManager,
  events: readonly PublicEvent[],
): Promise<PublicEvent[]> => {
  const named = events.flatMap(({ projectId, customerIds }) =>
    customerIds.map((customerId) => ({ projectId, customerId })),
  );
  if (named.length === 0) return [...events];
  await manager.query(`SELECT pg_advisory_xact_lock_shared(${lock})`);
  const marked = await manager.query<{ project_id: string; customer_id: string }[]>(
    `SELECT DISTINCT e.project_id, e.customer_id FROM erased_customers e
     JOIN unnest($1::text[], $2::text[]) AS n(project_id, customer_id) USING (project_id, customer_id)`,
    [named.map(({ projectId }) => projectId), named.map(({ customerId }) => customerId)],
  );
  return events.map((event) =>
    marked
      .filter(
        ({ project_id: project, customer_id: id }) =>
          project === event.projectId && event.customerIds.includes(id),
      )
      .reduce(
        (purged, { customer_id: id }) => ({ ...purged, data: withoutCustomer(purged.data, id) }),
        event,
      ),
  );
};

/** Notes which customers stored public events show. */
export const insertShownCustomers = async (
  manager: EntityManager,
  events: readonly PublicEvent[],
): Promise<void> => {
  const shown = events.flatMap(({ id, projectId, customerIds }) =>
    customerIds.map((customerId) => ({ id, projectId, customerId })),
  );
  if (shown.length === 0) return;
  await manager.query(
    `INSERT INTO public_event_customers (project_id, customer_id, public_event_id)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) ON CONFLICT DO NOTHING`,
    [
      shown.map(({ projectId }) => projectId),
      shown.map(({ customerId }) => customerId),
      shown.map(({ id }) => id),
    ],
  );
};

/** Takes a marked customer out of public events and payloads, and drops what endpoints answered to them. */
export const purgeCustomer = async (
  manager: EntityManager,
  { projectId, customerId }: ErasedCustomer,
): Promise<void> => {
  for (let after = ''; ;) {
    const shown = await manager.query<{ public_event_id: string }[]>(
      `SELECT public_event_id FROM public_event_customers
       WHERE project_id = $1 AND customer_id = $2 AND public_event_id > $3
       ORDER BY public_event_id LIMIT ${eventsTogether}`,
      [projectId, customerId, after],
    );
    const ids = shown.map(({ public_event_id }) => public_event_id);
    if (ids.length > 0) await purgeEvents(manager, { projectId, customerId }, ids);
    const last = ids.at(-1);
    if (last === undefined || ids.length < eventsTogether) return;
    after = last;
  }
};

const withoutCustomer = (json: string, customerId: string): string =>
  JSON.stringify(erasedIn(JSON.parse(json), customerId));

interface Text {
  id: string;
  text: string;
}

const purgeEvents = async (
  manager: EntityManager,
  { projectId, customerId }: ErasedCustomer,
  eventIds: readonly string[],
): Promise<void> => {
  const purged = (rows: readonly Text[]): [string[], string[]] => [
    rows.map(({ id }) => id),
    rows.map(({ text }) => withoutCustomer(text, customerId)),
  ];
  const events = await manager.query<Text[]>(
    'SELECT id, data AS text FROM public_events WHERE id = ANY($1)',
    [eventIds],
  );
  await manager.query(
    `UPDATE public_events e SET data = r.text FROM unnest($1::text[], $2::text[]) AS r(id, text) WHERE e.id = r.id`,
    purged(events),
  );
  // By the unique index on (webhook, public event), deleted endpoints included.
  const sendouts = await manager.query<{ id: string }[]>(
    `SELECT s.id FROM endpoints w JOIN sendouts s ON s.webhook_id = w.id AND s.public_event_id = ANY($2)
     WHERE w.project_id = $1`,
    [projectId, eventIds],
  );
  const sendoutIds = sendouts.map(({ id }) => id);
  const payloads = await manager.query<Text[]>(
    'SELECT sendout_id AS id, body AS text FROM sendout_payloads WHERE sendout_id = ANY($1)',
    [sendoutIds],
  );
  await manager.query(
    `UPDATE sendout_payloads p SET body = r.text FROM unnest($1::text[], $2::text[]) AS r(id, text)
     WHERE p.sendout_id = r.id`,
    purged(payloads),
  );
  await manager.query('UPDATE sendout_attempts SET response_excerpt = NULL WHERE sendout_id = ANY($1)', [
    sendoutIds,
  ]);
};
