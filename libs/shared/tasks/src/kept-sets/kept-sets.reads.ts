import { runQuery } from '@scrip/event-store';
import type { DataSource } from 'typeorm';
import type { KeptSet } from './kept-sets';

/** Where the sets of a context are stored. */
export interface KeptSetTables {
  /** The state table, with the columns `type` and `deleted`. */
  sets: string;
  /** The type of those that are kept by a filter. */
  keptType: string;
  /** A row for each walk that is under way. */
  walks: string;
  /** The column of `walks` that names the set. */
  setColumn: string;
  /** The view of the context's jobs. */
  jobs: string;
}

const rowsTogether = 500;

const select = (source: string) => `
  SELECT * FROM (${source}) t WHERE (project_id, id) > ($1, $2) ORDER BY project_id, id LIMIT ${rowsTogether}`;

/** The rows of a query, some hundred at a time in the order of their sets. */
async function* inChunks<Row extends KeptSet>(dataSource: DataSource, source: string): AsyncGenerator<Row[]> {
  let last: KeptSet | undefined = { project_id: '', id: '' };
  while (last) {
    const rows: Row[] = await runQuery<Row>(dataSource, select(source), [last.project_id, last.id]);
    yield rows;
    last = rows.length < rowsTogether ? undefined : rows.at(-1);
  }
}

/** A build that runs, or will. One in its last attempt does not count: nothing may come after it. */
const walkerSql = (jobs: string, projectId: string, id: string): string =>
  `SELECT FROM ${jobs} j WHERE j.key = 'build ' || ${projectId} || ' ' || ${id} AND j.attempts < j.max_attempts`;

/** The sets of all projects whose walk is under way and has no build that goes on with it. */
export const setsWithoutWalker = (
  dataSource: DataSource,
  { walks, setColumn, jobs }: KeptSetTables,
): AsyncGenerator<KeptSet[]> =>
  inChunks(
    dataSource,
    `SELECT w.project_id, w.${setColumn} AS id FROM ${walks} w
     WHERE NOT EXISTS (${walkerSql(jobs, 'w.project_id', `w.${setColumn}`)})`,
  );

/** Whether a build of the set runs, or will. */
export const hasWalker = async (
  dataSource: DataSource,
  { jobs }: KeptSetTables,
  { project_id, id }: KeptSet,
): Promise<boolean> =>
  (await runQuery(dataSource, walkerSql(jobs, '$1::text', '$2::text'), [project_id, id])).length > 0;

/** Whether a walk of the set is under way. */
export const isUnderWalk = async (
  dataSource: DataSource,
  { walks, setColumn }: KeptSetTables,
  { project_id, id }: KeptSet,
): Promise<boolean> => {
  const rows = await runQuery(
    dataSource,
    `SELECT FROM ${walks} WHERE project_id = $1 AND ${setColumn} = $2`,
    [project_id, id],
  );
  return rows.length > 0;
};

/** The sets of all projects that are kept by a filter. */
export const setsKept = <State>(
  dataSource: DataSource,
  { sets, keptType }: KeptSetTables,
): AsyncGenerator<(KeptSet & { state: State })[]> =>
  inChunks(
    dataSource,
    `SELECT project_id, id, state FROM ${sets} WHERE NOT deleted AND type = '${keptType}'`,
  );

/** The state of a set that is kept by a filter; undefined: there is none. */
export const keptState = async <State extends object>(
  dataSource: DataSource,
  { sets, keptType }: KeptSetTables,
  { project_id, id }: KeptSet,
): Promise<State | undefined> => {
  const [row] = await runQuery<{ state: State }>(
    dataSource,
    `SELECT state FROM ${sets} WHERE project_id = $1 AND id = $2 AND NOT deleted AND type = $3`,
    [project_id, id, keptType],
  );
  return row?.state;
};
