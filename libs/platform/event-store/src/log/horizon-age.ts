import type { RunStatement } from '../database/database';

/** SQL for since when the oldest writing transaction has been open, as far as this role sees sessions: those of its own
 *  role, a superuser all. */
const ofVisibleSessions = '(SELECT min(xact_start) FROM pg_stat_activity WHERE backend_xid IS NOT NULL)';

/** The same of all sessions; deploy/postgres/context-roles.sql makes the function for roles of contexts. */
const ofAllSessions = 'public.scrip_oldest_write()';

const mayAskForAll = `SELECT has_function_privilege(to_regprocedure('${ofAllSessions}'), 'EXECUTE') AS may`;

const secondsSince = (oldestWrite: string): string => `
  SELECT coalesce(extract(epoch FROM clock_timestamp() - least(${oldestWrite},
    (SELECT min(prepared) FROM pg_prepared_xacts))), 0)::float8 AS seconds`;

/** Returns how long the oldest writing transaction of the whole server has been open, seconds: no event is read past it.
 *  Without the function, of those transactions that the role sees. */
export const horizonAgeSeconds = async (run: RunStatement): Promise<number> => {
  const [asked] = await run<{ may: boolean | null }>({ text: mayAskForAll, values: [] });
  const text = secondsSince(asked?.may ? ofAllSessions : ofVisibleSessions);
  const [row] = await run<{ seconds: number }>({ text, values: [] });
  return row?.seconds ?? 0;
};
