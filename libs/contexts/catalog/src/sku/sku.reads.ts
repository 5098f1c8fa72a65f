import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { SkuSnapshot } from '@scrip/contracts/catalog';
import { runQuery } from '@scrip/event-store';
import { type BusinessClock, isRefused, notFound, type RequestContext } from '@scrip/kernel';
import { type Calendar, calendarAt, type ListStatements } from '@scrip/list-query';
import { InjectBusinessClock, InjectListReader, type ListReader } from '@scrip/service';
import type { DataSource } from 'typeorm';
import type { CatalogRefusal } from '../catalog.refusals';
import type { StoredSku } from './sku.decider';
import { RecordListQuery, recordListStatements } from '../record-list.query';

/** Query of GET /v1/products/{productId}/skus. Source: reference 07 §1.4. */
export class SkuListQuery extends RecordListQuery {}

/** Returns the statements of a page of a product's SKUs and of their count. Refuses as `recordListStatements` does. */
export const skuListStatements = (
  { projectId, productId }: { projectId: string; productId: string },
  query: SkuListQuery,
  calendar: Calendar,
): ListStatements | CatalogRefusal =>
  recordListStatements(
    {
      table: 'skus',
      columns: 't.snapshot',
      of: { project_id: projectId, product_id: productId },
      streamOf: (_, add) => add(productId),
    },
    query,
    calendar,
  );

/** What a call says to find a SKU by. */
export interface SoughtSku {
  id: string | null;
  /** Counts where no id is given. */
  source_id: string | null;
}

/** What is stored under an id or source id, deleted SKUs too. `live`: it and its product are. */
export interface FoundSku {
  id: string;
  product_id: string;
  live: boolean;
}

const soughtSql = `
  SELECT s.id, s.product_id, s.status = 'LIVE' AND owner.status = 'LIVE' AS live
  FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS sought(id, source_id, position)
  LEFT JOIN LATERAL (
    SELECT * FROM skus WHERE project_id = $1 AND id = sought.id
    UNION ALL
    SELECT * FROM skus WHERE project_id = $1 AND source_id = sought.source_id AND sought.id IS NULL
  ) s ON true
  LEFT JOIN products owner ON owner.project_id = $1 AND owner.id = s.product_id
  ORDER BY sought.position`;

const oneSql = (ofProduct: boolean): string => `
  SELECT s.snapshot FROM skus s
  JOIN products p ON p.project_id = s.project_id AND p.id = s.product_id AND p.status = 'LIVE'
  WHERE s.project_id = $1 AND (s.id = $2 OR s.source_id = $2) AND s.status = 'LIVE'
    ${ofProduct ? 'AND s.product_id = $3' : ''}
  ORDER BY (s.id = $2) DESC LIMIT 1`;

/** Reads SKUs as they stand. */
@Injectable()
export class SkuReads {
  constructor(
    @InjectDataSource('catalog') private readonly dataSource: DataSource,
    @InjectListReader('catalog') private readonly lists: ListReader,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {}

  /** The live SKU of an id or, where no live SKU has that, of a source id; of one product where that is given. Refuses
   *  `not_found`. */
  async find(
    { project }: RequestContext,
    idOrSourceId: string,
    productId?: string,
  ): Promise<SkuSnapshot | CatalogRefusal> {
    const values = [project.id, idOrSourceId, ...(productId === undefined ? [] : [productId])];
    const sql = oneSql(productId !== undefined);
    const [row] = await runQuery<{ snapshot: SkuSnapshot }>(this.dataSource, sql, values);
    return row?.snapshot ?? notFound('sku', idOrSourceId);
  }

  /** What is stored of each, in their order, by one statement; null where nothing is. */
  async findSought({ project }: RequestContext, sought: readonly SoughtSku[]): Promise<(FoundSku | null)[]> {
    const rows = await runQuery<FoundSku | { id: null }>(this.dataSource, soughtSql, [
      project.id,
      sought.map(({ id }) => id),
      sought.map(({ source_id }) => source_id),
    ]);
    return rows.map((row) => (row.id === null ? null : row));
  }

  /** Stored SKUs by id, deleted ones too, by one statement. */
  async stored({ project }: RequestContext, ids: readonly string[]): Promise<Map<string, StoredSku>> {
    if (ids.length === 0) return new Map();
    const rows = await runQuery<{ id: string; status: StoredSku['status']; sku: SkuSnapshot }>(
      this.dataSource,
      'SELECT id, status, snapshot AS sku FROM skus WHERE project_id = $1 AND id = ANY($2)',
      [project.id, ids],
    );
    return new Map(rows.map(({ id, status, sku }) => [id, { status, sku }]));
  }

  /** A page of a product's SKUs, and how many match, as far as lists count. Refuses `invalid_query_params`. */
  async list(
    context: RequestContext,
    productId: string,
    query: SkuListQuery,
  ): Promise<{ skus: SkuSnapshot[]; total: number } | CatalogRefusal> {
    const { project } = context;
    const calendar = calendarAt(project, this.clock.now(project));
    const statements = skuListStatements({ projectId: project.id, productId }, query, calendar);
    if (isRefused(statements)) return statements;
    const { rows, total } = await this.lists.page<{ snapshot: SkuSnapshot }>(context, statements);
    return { skus: rows.map(({ snapshot }) => snapshot), total };
  }
}
