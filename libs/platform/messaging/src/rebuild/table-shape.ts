import type { EntityManager } from 'typeorm';

/** A table by its schema and name, both unquoted. */
export interface TableName {
  schema: string;
  name: string;
}

const oidOf = `SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relname = $2`;

// Everything that a copy made by LIKE would lack, or that would still point to the old table after the swap.
const obstaclesSql = `
  SELECT o.obstacle FROM pg_class c, LATERAL (
    SELECT 'is not an ordinary table' WHERE c.relkind <> 'r' OR c.relpersistence <> 'p' OR c.relispartition
    UNION ALL SELECT 'has row security' WHERE c.relrowsecurity
    UNION ALL SELECT 'inherits or is inherited' FROM pg_inherits WHERE c.oid IN (inhrelid, inhparent)
    UNION ALL SELECT 'has the foreign key ' || conname FROM pg_constraint WHERE conrelid = c.oid AND contype = 'f'
    UNION ALL SELECT 'has the trigger ' || tgname FROM pg_trigger WHERE tgrelid = c.oid AND NOT tgisinternal
    UNION ALL SELECT 'has the statistics ' || stxname FROM pg_statistic_ext WHERE stxrelid = c.oid
    UNION ALL SELECT 'is published' FROM pg_publication_rel WHERE prrelid = c.oid
    UNION ALL SELECT 'has privileges of the column ' || attname FROM pg_attribute
      WHERE attrelid = c.oid AND attacl IS NOT NULL
    UNION ALL SELECT 'owns ' || pg_describe_object(classid, objid, 0) FROM pg_depend
      WHERE refclassid = 'pg_class'::regclass AND refobjid = c.oid AND deptype = 'a'
        AND classid = 'pg_class'::regclass AND (SELECT relkind FROM pg_class s WHERE s.oid = objid) = 'S'
    UNION ALL SELECT pg_describe_object(classid, objid, objsubid) || ' depends on it' FROM pg_depend
      WHERE deptype = 'n'
        AND (refclassid, refobjid) IN (('pg_class'::regclass, c.oid), ('pg_type'::regclass, c.reltype))
        AND NOT (classid = 'pg_constraint'::regclass AND objid IN
          (SELECT k.oid FROM pg_constraint k WHERE k.conrelid = c.oid))
  ) o(obstacle) WHERE c.oid = (${oidOf})`;

/** Returns why a table cannot be replaced by a copy of itself: what hangs on it that a copy has not, or that would keep
 *  the old table. Empty where it can. Throws `Error` where there is no such table. */
export const obstaclesOf = async (
  manager: EntityManager,
  { schema, name }: TableName,
): Promise<readonly string[]> => {
  const known = await manager.query<unknown[]>(oidOf, [schema, name]);
  if (known.length === 0) throw new Error(`there is no table ${schema}.${name}`);
  const rows = await manager.query<{ obstacle: string }[]>(obstaclesSql, [schema, name]);
  return rows.map(({ obstacle }) => obstacle);
};

const shapeSql = `
  SELECT jsonb_build_object(
    'columns', (SELECT jsonb_agg(jsonb_build_array(attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
        attgenerated, attcollation, pg_get_expr(d.adbin, d.adrelid)) ORDER BY attnum)
      FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = c.oid AND attnum > 0 AND NOT attisdropped),
    'indexes', (SELECT jsonb_agg(pg_get_indexdef(indexrelid) ORDER BY indexrelid) FROM pg_index WHERE indrelid = c.oid),
    'constraints', (SELECT jsonb_agg(conname || ' ' || pg_get_constraintdef(k.oid) ORDER BY k.oid)
      FROM pg_constraint k WHERE conrelid = c.oid),
    'options', c.reloptions, 'grants', c.relacl::text
  )::text AS shape FROM pg_class c WHERE c.oid = (${oidOf})`;

/** Returns columns, indexes, constraints, options and privileges of a table as a text to compare; undefined where there
 *  is no such table. */
export const shapeOf = async (
  manager: EntityManager,
  { schema, name }: TableName,
): Promise<string | undefined> => {
  const [row] = await manager.query<{ shape: string }[]>(shapeSql, [schema, name]);
  return row?.shape;
};
