import { campaignsContext } from '@scrip/campaigns';
import { serviceEdge } from '@scrip/edge';
import { Secret } from '@scrip/kernel';
import { qualificationContext } from '@scrip/qualification';
import { openConsumers, readSettings } from '@scrip/service';
import { Client, escapeIdentifier } from 'pg';
import { Postgres } from './postgres';

interface Table {
  name: string;
  columns: string[];
}

const rowsAtOnce = 1_000;

// Partitions are copied with their parents. Generated columns are computed by the server.
const tablesSql = `
  SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
  FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> 'migrations'
  GROUP BY c.relname`;

const copyTable = async (
  from: Client,
  to: Client,
  schema: string,
  { name, columns }: Table,
): Promise<void> => {
  const table = `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;
  const list = columns.map(escapeIdentifier).join(', ');
  await from.query(`DECLARE dump NO SCROLL CURSOR FOR SELECT to_json(t)::text AS row FROM ${table} t`);
  for (;;) {
    const { rows } = await from.query<{ row: string }>(`FETCH ${rowsAtOnce} FROM dump`);
    if (rows.length === 0) break;
    await to.query(
      `INSERT INTO ${table} (${list}) OVERRIDING SYSTEM VALUE
       SELECT ${list} FROM json_populate_recordset(NULL::${table}, $1::json)`,
      [`[${rows.map(({ row }) => row).join(',')}]`],
    );
  }
  await from.query('CLOSE dump');
};

const copySequences = async (from: Client, to: Client, schema: string): Promise<void> => {
  const { rows } = await from.query<{ name: string; last: string }>(
    `SELECT sequencename AS name, last_value AS last FROM pg_sequences WHERE schemaname = $1 AND last_value IS NOT NULL`,
    [schema],
  );
  for (const { name, last } of rows)
    await to.query('SELECT setval($1, $2)', [`${escapeIdentifier(schema)}.${escapeIdentifier(name)}`, last]);
};

const copySchema = async (from: Client, to: Client, schema: string): Promise<void> => {
  const { rows: tables } = await from.query<Table>(tablesSql, [schema]);
  await to.query(
    `TRUNCATE ${tables.map(({ name }) => `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`).join(', ')}`,
  );
  for (const table of tables) await copyTable(from, to, schema, table);
  await copySequences(from, to, schema);
};

/** Creates the state of a new server after a dump of the movable services was restored: their schemas as migrations
 *  make them, all rows and sequences, and nothing else of the old server; transaction ids above all are new. */
export const restoredServer = async (
  old: Postgres,
  dataDir: string,
  masterKey: Secret,
): Promise<Postgres> => {
  const server = await Postgres.start(dataDir);
  const { consumers: _, close } = await openConsumers({
    contexts: [campaignsContext, qualificationContext],
    config: { ...readSettings({}), dataDir, masterKey, databaseUrl: new Secret(server.directUrl) },
    edge: serviceEdge,
  });
  await close();
  const [from, to] = [old.directUrl, server.directUrl].map(
    (connectionString) => new Client({ connectionString }),
  ) as [Client, Client];
  await Promise.all([from.connect(), to.connect()]);
  try {
    await from.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await to.query('BEGIN');
    // Constraints are checked as on restoring a dump: not while rows come in.
    await to.query(`SET LOCAL session_replication_role = 'replica'`);
    for (const schema of ['campaigns', 'qualification', 'campaigns_jobs']) await copySchema(from, to, schema);
    await to.query('COMMIT');
  } finally {
    await Promise.all([from.end(), to.end()]);
  }
  await server.takePasswordOf(old);
  return server;
};
