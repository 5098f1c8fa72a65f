/** Columns that every state table needs, as SQL for its `CREATE TABLE`; the aggregate's key columns follow:
 *  `CREATE TABLE vouchers (${stateTableColumns}, code text COLLATE "C" NOT NULL)`.
 *  Rows made in bulk without an event keep version 0 and a NULL state. */
export const stateTableColumns = `
  project_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  version bigint NOT NULL DEFAULT 0,
  epoch int NOT NULL DEFAULT 0,
  last_ord xid8 NOT NULL DEFAULT '0',
  state jsonb,
  PRIMARY KEY (project_id, id)`;

/** Columns of a state table whose aggregate has `snapshotEvents`, as SQL: the version of the event that holds the state
 *  where `state` is NULL, and when it was recorded, which finds its partition. */
export const snapshotColumns = `
  snapshot_version bigint,
  snapshot_at timestamptz`;
