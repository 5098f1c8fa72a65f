import type { EntityManager } from 'typeorm';

/** Notes that the segments of the customers in `rows` (columns `project_id`, `customer_id`; each once) are to be tested again: in
 *  projects that keep segments. A part of a `WITH`. Machine time: leases. */
export const retestsOf = (rows: string): string => `
  INSERT INTO segment_retests (project_id, customer_id, change, leased_until)
  SELECT r.project_id, r.customer_id, pg_current_xact_id(), '-infinity' FROM ${rows} r
  WHERE EXISTS (
    SELECT FROM segments g WHERE g.project_id = r.project_id AND g.type = 'auto-update' AND NOT g.deleted)
  ORDER BY r.project_id, r.customer_id
  ON CONFLICT (project_id, customer_id) DO UPDATE
    SET change = excluded.change, leased_until = excluded.leased_until`;

/** A customer to test again. */
export interface Retest {
  project_id: string;
  customer_id: string;
  /** Tells a later change apart. */
  change: string;
}

/** Customers that are taken together. */
export const retestsTogether = 500;

// Machine time: a process that is killed holds its customers no longer than this.
const takeSql = `
  UPDATE segment_retests t SET leased_until = now() + interval '30 seconds'
  FROM (
    SELECT project_id, customer_id FROM segment_retests WHERE leased_until < now()
    ORDER BY change, project_id, customer_id LIMIT ${retestsTogether} FOR UPDATE SKIP LOCKED) n
  WHERE t.project_id = n.project_id AND t.customer_id = n.customer_id
  RETURNING t.project_id, t.customer_id, t.change::text`;

/** Takes customers that no process is testing, for 30 s: those that changed longest ago, of whatever project. */
export const takeRetests = async (manager: EntityManager): Promise<Retest[]> => {
  const [rows] = await manager.query<[Retest[], number]>(takeSql);
  return rows;
};

/** Removes what was tested and did not change since. Waits for nothing, so that those who note changes, in the order of projects and
 *  customers, never wait in a circle with it: a row that another transaction holds is left, and is tested again. */
export const removeRetests = async (manager: EntityManager, tested: readonly Retest[]): Promise<void> => {
  await manager.query(
    `DELETE FROM segment_retests t USING (
       SELECT r.project_id, r.customer_id, r.change FROM segment_retests r
       JOIN unnest($1::text[], $2::text[], $3::xid8[]) n(project_id, customer_id, change)
         USING (project_id, customer_id, change)
       ORDER BY r.project_id, r.customer_id FOR UPDATE OF r SKIP LOCKED) held
     WHERE t.project_id = held.project_id AND t.customer_id = held.customer_id AND t.change = held.change`,
    [
      tested.map(({ project_id }) => project_id),
      tested.map(({ customer_id }) => customer_id),
      tested.map(({ change }) => change),
    ],
  );
};
