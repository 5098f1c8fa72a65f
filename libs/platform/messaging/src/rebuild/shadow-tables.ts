import { escapeIdentifier } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { obstaclesOf, shapeOf } from './table-shape';

/** Thrown where a table of a group cannot be replaced by one that was built beside it. */
export class CannotSwap extends Error {
  override readonly name = 'CannotSwap';
}

/** Where workers of a group keep their places: copies of them lie beside too, and rows are carried over. */
const placeTables = ['consumer_positions', 'parked_keys', 'parked_events'];

// LIKE gives indexes names of its own. Those that are defined alike may take each other's names.
const indexNamesSql = `
  WITH named AS (
    SELECT x.indrelid, i.relname, definition,
      row_number() OVER (PARTITION BY x.indrelid, definition ORDER BY i.oid) AS nth
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid, LATERAL (
      SELECT regexp_replace(pg_get_indexdef(x.indexrelid), '^CREATE (UNIQUE )?INDEX .* ON \\S+ USING', '\\1')
        || x.indisprimary || EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.oid AND k.contype IN ('p', 'u'))
    ) d(definition)
    WHERE x.indrelid IN ($1::regclass, $2::regclass)
  )
  SELECT made.relname AS made, kept.relname AS kept FROM named made
  JOIN named kept ON made.definition = kept.definition AND made.nth = kept.nth
  WHERE made.indrelid = $2::regclass AND kept.indrelid = $1::regclass AND made.relname <> kept.relname`;

const optionsSql = `SELECT unnest(reloptions) AS option FROM pg_class WHERE oid = $1::regclass`;

const grantsSql = `
  SELECT a.privilege_type AS privilege, a.is_grantable AS grantable,
    CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END AS grantee
  FROM pg_class c, aclexplode(c.relacl) a WHERE c.oid = $1::regclass AND a.grantee <> c.relowner`;

const copyTable = async (manager: EntityManager, from: string, to: string): Promise<void> => {
  await manager.query(`CREATE TABLE ${to} (LIKE ${from} INCLUDING ALL)`);
  for (const { option } of await manager.query<{ option: string }[]>(optionsSql, [from]))
    await manager.query(`ALTER TABLE ${to} SET (${option})`);
  const grants = await manager.query<{ privilege: string; grantable: boolean; grantee: string }[]>(
    grantsSql,
    [from],
  );
  for (const { privilege, grantable, grantee } of grants)
    await manager.query(`GRANT ${privilege} ON ${to} TO ${grantee}${grantable ? ' WITH GRANT OPTION' : ''}`);
};

/** Empty copies of a group's tables, in a schema of their own that stands before the context's in the search path of
 *  those who fill them. Tables keep their names and those of their indexes. Source: architecture §5. */
export class ShadowTables {
  private shapes = new Map<string, string | undefined>();

  private constructor(
    private readonly own: string,
    /** The schema that holds the copies. */
    readonly schema: string,
    private readonly tables: readonly string[],
    /** The context's search path, behind the copies. */
    readonly searchPath: string,
  ) {}

  /** Drops what an earlier run has left, and makes the copies. Throws `CannotSwap`, naming what is in the way. */
  static async create(database: DataSource, group: string, tables: readonly string[]): Promise<ShadowTables> {
    return database.transaction(async (manager) => {
      const [{ own, path }] = await manager.query<[{ own: string; path: string }]>(
        `SELECT current_schema() AS own, current_setting('search_path') AS path`,
      );
      const schema = `${own}_rebuild_${group.replaceAll(/[.-]/g, '_')}`.slice(0, 63);
      const shadows = new ShadowTables(own, schema, tables, `${schema},${path.replaceAll(' ', '')}`);
      await manager.query(`DROP SCHEMA IF EXISTS ${escapeIdentifier(schema)} CASCADE`);
      await manager.query(`CREATE SCHEMA ${escapeIdentifier(schema)}`);
      for (const table of tables) await shadows.copy(manager, table);
      for (const table of placeTables) await copyTable(manager, shadows.ofOwn(table), shadows.beside(table));
      return shadows;
    });
  }

  /** The context's own table, for SQL. */
  ofOwn(table: string): string {
    return `${escapeIdentifier(this.own)}.${escapeIdentifier(table)}`;
  }

  /** The copy of a table, for SQL. */
  beside(table: string): string {
    return `${escapeIdentifier(this.schema)}.${escapeIdentifier(table)}`;
  }

  /** Gathers statistics of the copies, without which the first queries after the swap would be planned blindly. */
  async analyze(database: DataSource): Promise<void> {
    for (const table of this.tables) {
      await database.transaction(async (manager) => {
        await manager.query(`SET LOCAL statement_timeout = 0`);
        await manager.query(`ANALYZE ${this.beside(table)}`);
      });
    }
  }

  /** Puts the copies into the place of the tables, in the caller's transaction. Readers wait for its end. Throws
   *  `CannotSwap` where a table was changed since the copy was made. */
  async swap(manager: EntityManager): Promise<void> {
    for (const table of this.tables) {
      await manager.query(`LOCK TABLE ${this.ofOwn(table)} IN ACCESS EXCLUSIVE MODE`);
      if ((await this.shapeOf(manager, table)) !== this.shapes.get(table))
        throw new CannotSwap(`${this.ofOwn(table)} was altered while it was rebuilt`);
      // Without CASCADE: what came to depend on the table meanwhile keeps it, and this transaction fails.
      await manager.query(`DROP TABLE ${this.ofOwn(table)}`);
      await manager.query(`ALTER TABLE ${this.beside(table)} SET SCHEMA ${escapeIdentifier(this.own)}`);
    }
  }

  /** Drops the copies that are left. */
  async drop(manager: EntityManager): Promise<void> {
    await manager.query(`DROP SCHEMA IF EXISTS ${escapeIdentifier(this.schema)} CASCADE`);
  }

  private async copy(manager: EntityManager, table: string): Promise<void> {
    const obstacles = await obstaclesOf(manager, { schema: this.own, name: table });
    if (obstacles.length > 0)
      throw new CannotSwap(`${this.ofOwn(table)} cannot be rebuilt beside: it ${obstacles.join('; it ')}`);
    this.shapes.set(table, await this.shapeOf(manager, table));
    await copyTable(manager, this.ofOwn(table), this.beside(table));
    const renames = await manager.query<{ made: string; kept: string }[]>(indexNamesSql, [
      this.ofOwn(table),
      this.beside(table),
    ]);
    for (const { made, kept } of renames)
      await manager.query(`ALTER INDEX ${this.beside(made)} RENAME TO ${escapeIdentifier(kept)}`);
  }

  private shapeOf(manager: EntityManager, table: string): Promise<string | undefined> {
    return shapeOf(manager, { schema: this.own, name: table });
  }
}
