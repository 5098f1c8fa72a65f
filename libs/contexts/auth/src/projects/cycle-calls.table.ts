import type { DataSource } from 'typeorm';

// In the order of the ids, so that two processes do not wait for each other. Only the newest cycle of a project is kept.
const addSql = `
  INSERT INTO cycle_calls AS c (project_id, cycle, calls)
  SELECT project_id, $1, sum(calls) FROM unnest($2::text[], $3::bigint[]) AS added (project_id, calls)
  GROUP BY project_id ORDER BY project_id
  ON CONFLICT (project_id) DO UPDATE SET
    cycle = excluded.cycle,
    calls = excluded.calls + CASE WHEN c.cycle = excluded.cycle THEN c.calls ELSE 0 END
  WHERE c.cycle <= excluded.cycle
  RETURNING project_id, calls`;

/** Adds calls of projects in a cycle, and returns those projects' totals; of a cycle that is over nothing is added or returned. */
export const addCycleCalls = async (
  database: DataSource,
  { cycle, calls }: { cycle: string; calls: readonly { project_id: string; calls: number }[] },
): Promise<{ project_id: string; calls: number }[]> => {
  const rows = await database.query<{ project_id: string; calls: string }[]>(addSql, [
    cycle,
    calls.map(({ project_id }) => project_id),
    calls.map((of) => of.calls),
  ]);
  return rows.map(({ project_id, calls: total }) => ({ project_id, calls: Number(total) }));
};
