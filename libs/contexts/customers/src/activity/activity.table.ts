import type { OrderSnapshot } from '@scrip/contracts/customers';
import type { DataSource, EntityManager } from 'typeorm';
import type { Activity } from './activity';

const insertSql = (source: string): string => `
  INSERT INTO customer_activities
  (SELECT a.* FROM jsonb_populate_recordset(NULL::customer_activities, $1::jsonb) a ${source})
  ON CONFLICT (project_id, customer_id, id) DO NOTHING`;

const ownSql = insertSql('');

const othersSql = insertSql(`
  JOIN customer_keys k ON k.project_id = a.project_id AND k.customer_id = a.customer_id
  FOR KEY SHARE OF k`);

const insert = async (
  manager: EntityManager,
  sql: string,
  activities: readonly Activity[],
): Promise<void> => {
  if (activities.length > 0) await manager.query(sql, [JSON.stringify(activities)]);
};

/** Stores activities told by customers' own events; a batch holds them in the order of their log. Looks nothing up: the event of an
 *  erasure comes later in the same log, and deletes all of them. */
export const insertOwnActivities = (manager: EntityManager, activities: readonly Activity[]): Promise<void> =>
  insert(manager, ownSql, activities);

/** Stores what events of other streams tell; those of erased customers are left out. The lock makes an erasure wait, so that its
 *  event finds all that was stored before. */
export const insertActivities = (manager: EntityManager, activities: readonly Activity[]): Promise<void> =>
  insert(manager, othersSql, activities);

/** A customer of a project, or a segment. */
export interface InProject {
  project_id: string;
  id: string;
}

/** Their projects and their ids, for `unnest`. */
export const columnsOf = (named: readonly InProject[]): string[][] => [
  named.map(({ project_id }) => project_id),
  named.map(({ id }) => id),
];

/** Deletes all that is stored of customers. */
export const deleteActivities = async (
  manager: EntityManager,
  customers: readonly InProject[],
): Promise<void> => {
  if (customers.length === 0) return;
  await manager.query(
    `DELETE FROM customer_activities a USING unnest($1::text[], $2::text[]) n(project_id, id)
     WHERE a.project_id = n.project_id AND a.customer_id = n.id`,
    columnsOf(customers),
  );
};

/** Names of segments, deleted ones too, by project and id. */
export const segmentNames = async (
  dataSource: DataSource,
  segments: readonly InProject[],
): Promise<Map<string, string>> => {
  const rows = await dataSource.query<(InProject & { name: string })[]>(
    `SELECT t.project_id, t.id, t.name FROM segments t
     JOIN (SELECT DISTINCT * FROM unnest($1::text[], $2::text[])) n(project_id, id)
       ON t.project_id = n.project_id AND t.id = n.id`,
    columnsOf(segments),
  );
  return new Map(rows.map(({ project_id, id, name }) => [`${project_id} ${id}`, name]));
};

/** The orders as the last event before these versions left them; null where there is none. */
export const ordersBefore = async (
  dataSource: DataSource,
  wanted: readonly (InProject & { version: number })[],
): Promise<(OrderSnapshot | null)[]> => {
  if (wanted.length === 0) return [];
  const rows = await dataSource.query<{ order: OrderSnapshot | null }[]>(
    `SELECT e.data->'order' AS "order"
     FROM unnest($1::text[], $2::text[], $3::bigint[]) WITH ORDINALITY q(project_id, id, version, position)
     LEFT JOIN LATERAL (
       SELECT data FROM events o
       WHERE o.project_id = q.project_id AND o.aggregate = 'order' AND o.stream_id = q.id AND o.version < q.version
         AND o.type IN ('OrderCreated', 'OrderUpdated')
       ORDER BY o.version DESC LIMIT 1) e ON true
     ORDER BY q.position`,
    [...columnsOf(wanted), wanted.map(({ version }) => version)],
  );
  return rows.map(({ order }) => order);
};
