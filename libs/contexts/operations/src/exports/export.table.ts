import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  type ExportedObject,
  exportFileKeys,
  type ExportOrder,
  type ExportParameters,
  tellsOfPeople,
} from '@scrip/contracts/operations';
import { offsetOf, orderOf } from '@scrip/edge';
import { runQuery } from '@scrip/event-store';
import { isRefused, type Keyring, newKey, type Refusal, refuse, type RequestContext } from '@scrip/kernel';
import { behindCreated, countOf, StatementValues } from '@scrip/list-query';
import {
  createdCursor,
  InjectListReader,
  type ListReader,
  purposeRing,
  SCRIP_CONFIG,
  type ScripConfig,
  type SealedColumn,
} from '@scrip/service';
import { randomUUID } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import type { ExportListQuery } from './export.dto';

/** An export as it is stored. */
export interface StoredExport {
  project_id: string;
  id: string;
  order: ExportOrder;
  status: 'SCHEDULED' | 'IN_PROGRESS' | 'DONE' | 'ERROR';
  channel: string;
  user_id: string | null;
  created_at: string;
}

/** The file of a finished export, with the key that it is sealed with. */
export interface ExportFile {
  name: string;
  key: Buffer;
}

/** What names an export. */
export interface ExportName {
  project_id: string;
  id: string;
}

/** One execution of an export: it alone may end it, unless an erasure or a later one came between. */
export interface Attempt {
  order: ExportOrder;
  file: { name: string; wrapped_key: string };
  /** The file of the attempt before, which did not end: its process was killed, or the store failed. */
  left: string | null;
}

interface Row {
  project_id: string;
  id: string;
  exported_object: ExportedObject;
  parameters: string;
  status: StoredExport['status'];
  channel: string;
  user_id: string | null;
  created_at: Date;
}

const parametersPurpose = 'export-parameters';
const boundTo = (projectId = '', exportId = ''): string => exportFileKeys.boundTo(projectId, exportId);

const sealedIn = (column: string, purpose: string): SealedColumn => ({
  table: 'exports',
  id: ['project_id', 'id'],
  column,
  purpose,
  boundTo,
});

/** The columns of exports that are sealed under the master key. */
export const exportColumns: readonly SealedColumn[] = [
  sealedIn('parameters', parametersPurpose),
  sealedIn('wrapped_key', exportFileKeys.purpose),
];

/** Runs an UPDATE or DELETE and returns the rows that it changed: the driver answers them beside their number. */
export const changedRows = async <Row>(
  on: DataSource | EntityManager,
  sql: string,
  values: unknown[],
): Promise<Row[]> => (await runQuery<Row[]>(on, sql, values))[0] ?? [];

/** What the names of files of exports begin with. */
export const exportFolder = 'exports/';

const columns = 'project_id, id, exported_object, parameters, status, channel, user_id, created_at';

/** Exports of a project that wait or are under way, at most. */
export const openExportsMax = 10;

/** Executions of an export, at most: one that was begun so often ends the process that writes it, again and again. */
export const executionsMax = 18;

/** Condition of those that have not ended. */
export const isOpen = `status IN ('SCHEDULED', 'IN_PROGRESS')`;

const orders = { created_at: 'created_at', status: 'status' } as const;

/** The table of exports. */
@Injectable()
export class ExportTable {
  private readonly parameters: Keyring;
  private readonly keys: Keyring;

  constructor(
    @InjectDataSource('operations') private readonly dataSource: DataSource,
    @InjectListReader('operations') private readonly lists: ListReader,
    @Inject(SCRIP_CONFIG) config: ScripConfig,
  ) {
    this.parameters = purposeRing(config, parametersPurpose);
    this.keys = purposeRing(config, exportFileKeys.purpose);
  }

  /** Stores a new export and returns it; where its id is there, a repeated command, returns what is stored. `within` runs in the
   *  same transaction; `ahead`: how many exports of the project were open before it. Refuses `exports_limit_exceeded` at `openExportsMax`. */
  async insert(
    wanted: Omit<StoredExport, 'status'>,
    within: (manager: EntityManager, ahead: number) => Promise<unknown>,
  ): Promise<StoredExport | Refusal<'exports_limit_exceeded'>> {
    const { project_id, id, order, channel, user_id, created_at } = wanted;
    const { exported_object, parameters } = order;
    return this.dataSource.transaction(async (manager) => {
      await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('exports ' || $1, 0))`, [
        project_id,
      ]);
      const stored = await this.findOn(manager, wanted);
      if (stored) return stored;
      const [before] = await runQuery<{ open: number }>(
        manager,
        `SELECT count(*)::int AS open FROM exports WHERE project_id = $1 AND ${isOpen}`,
        [project_id],
      );
      const open = before?.open ?? 0;
      if (open >= openExportsMax)
        return refuse(
          'exports_limit_exceeded',
          `The project has ${openExportsMax} exports that have not ended`,
        );
      await runQuery(
        manager,
        `INSERT INTO exports (${columns}, tells_of_people) VALUES ($1, $2, $3, $4, 'SCHEDULED', $5, $6, $7, $8)`,
        [
          ...[project_id, id, exported_object],
          this.parameters.seal(JSON.stringify(parameters), boundTo(project_id, id)),
          ...[channel, user_id, created_at, tellsOfPeople(exported_object, parameters.fields)],
        ],
      );
      await within(manager, open);
      return { ...wanted, status: 'SCHEDULED' };
    });
  }

  async find(name: ExportName): Promise<StoredExport | null> {
    return this.findOn(this.dataSource, name);
  }

  private async findOn(
    on: DataSource | EntityManager,
    { project_id, id }: ExportName,
  ): Promise<StoredExport | null> {
    const [row] = await runQuery<Row>(
      on,
      `SELECT ${columns} FROM exports WHERE project_id = $1 AND id = $2`,
      [project_id, id],
    );
    return row ? this.opened(row) : null;
  }

  /** A page of a project's exports, and how many there are, as far as lists count. Refuses `starting_after_id` beside another
   *  order than that of creation, and an unknown one. */
  async list(
    context: RequestContext,
    query: ExportListQuery,
  ): Promise<{ exports: StoredExport[]; total: number } | Refusal<'invalid_query_params'>> {
    const { field, descending } = orderOf(query.order);
    const { limit } = query;
    const { project } = context;
    const cursor = await createdCursor(this.lists, context, query, { tables: ['exports'], what: 'export' });
    if (isRefused(cursor)) return cursor;
    const values = new StatementValues([project.id]);
    const direction = descending ? 'DESC' : 'ASC';
    const offset = offsetOf(query);
    const beyond = cursor ? `AND ${behindCreated(cursor, 't', descending)(values.add)}` : '';
    const { rows, total } = await this.lists.page<Row>(context, {
      page: {
        text: `SELECT ${columns} FROM exports t WHERE project_id = $1 ${beyond}
          ORDER BY ${orders[field]} ${direction}, id ${direction} LIMIT ${limit} OFFSET ${offset}`,
        values: values.all,
      },
      count: { text: countOf('SELECT 1 FROM exports WHERE project_id = $1'), values: [project.id] },
      limit,
      offset,
      behindCursor: cursor !== null,
    });
    return { exports: rows.map((row) => this.opened(row)), total };
  }

  /** Deletes an export with the key of its file; says the name of the file, undefined where there is no such export. */
  async delete({ project_id, id }: ExportName): Promise<string | null | undefined> {
    const [row] = await changedRows<{ file_name: string | null }>(
      this.dataSource,
      'DELETE FROM exports WHERE project_id = $1 AND id = $2 RETURNING file_name',
      [project_id, id],
    );
    return row?.file_name;
  }

  /** Begins an execution, with a file and a key that no other has; null where nothing is left to do, or `executionsMax` were begun
   *  before. */
  async begin({ project_id, id }: ExportName): Promise<Attempt | null> {
    const name = `${exportFolder}${randomUUID()}`;
    const wrapped_key = this.keys.wrap(newKey(), boundTo(project_id, id));
    const [row] = await changedRows<Row & { left: string | null }>(
      this.dataSource,
      `WITH before AS (
         SELECT file_name FROM exports
         WHERE project_id = $1 AND id = $2 AND ${isOpen} AND executions < ${executionsMax} FOR UPDATE
       )
       UPDATE exports e SET status = 'IN_PROGRESS', file_name = $3, wrapped_key = $4, executions = e.executions + 1
       FROM before WHERE e.project_id = $1 AND e.id = $2
       RETURNING ${columns
         .split(', ')
         .map((column) => `e.${column}`)
         .join(', ')}, before.file_name AS left`,
      [project_id, id, name, wrapped_key],
    );
    return row ? { order: this.opened(row).order, file: { name, wrapped_key }, left: row.left } : null;
  }

  /** Ends an export whose file this execution has written. `superseded`: another one is under way or has ended it;
   *  `again`: an erasure came between, and nothing that was read before it may be kept. The execution does not count then. */
  async finish({ project_id, id }: ExportName, file: string): Promise<'done' | 'superseded' | 'again'> {
    const [done] = await changedRows(
      this.dataSource,
      `UPDATE exports SET status = 'DONE'
       WHERE project_id = $1 AND id = $2 AND file_name = $3 AND status = 'IN_PROGRESS' RETURNING id`,
      [project_id, id, file],
    );
    if (done) return 'done';
    const [waiting] = await changedRows(
      this.dataSource,
      `UPDATE exports SET executions = greatest(executions - 1, 0)
       WHERE project_id = $1 AND id = $2 AND file_name IS NULL AND status = 'IN_PROGRESS' RETURNING id`,
      [project_id, id],
    );
    return waiting ? 'again' : 'superseded';
  }

  /** Ends an export without a file. */
  async fail({ project_id, id }: ExportName): Promise<void> {
    await runQuery(
      this.dataSource,
      `UPDATE exports SET status = 'ERROR', file_name = NULL, wrapped_key = NULL
       WHERE project_id = $1 AND id = $2 AND ${isOpen}`,
      [project_id, id],
    );
  }

  /** Ends an export without a file where it was begun `executionsMax` times; answers whether it did. */
  async failWornOut({ project_id, id }: ExportName): Promise<boolean> {
    const rows = await changedRows(
      this.dataSource,
      `UPDATE exports SET status = 'ERROR', file_name = NULL, wrapped_key = NULL
       WHERE project_id = $1 AND id = $2 AND ${isOpen} AND executions >= ${executionsMax} RETURNING id`,
      [project_id, id],
    );
    return rows.length > 0;
  }

  /** The file of an export that has one. */
  async fileOf({ project_id, id }: ExportName): Promise<ExportFile | null> {
    const [row] = await runQuery<{ file_name: string; wrapped_key: string }>(
      this.dataSource,
      `SELECT file_name, wrapped_key FROM exports WHERE project_id = $1 AND id = $2 AND status = 'DONE'`,
      [project_id, id],
    );
    if (!row) return null;
    return { name: row.file_name, key: this.keys.unwrap(row.wrapped_key, boundTo(project_id, id)) };
  }

  private opened({ exported_object, parameters, created_at, ...row }: Row): StoredExport {
    const { project_id, id } = row;
    const text = this.parameters.open(parameters, boundTo(project_id, id));
    const { status, channel, user_id } = row;
    return {
      ...{ project_id, id, status, channel, user_id },
      order: { exported_object, parameters: JSON.parse(text) as ExportParameters },
      created_at: created_at.toISOString(),
    };
  }
}
