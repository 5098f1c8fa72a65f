import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { ProductSnapshot, SkuSnapshot } from '@scrip/contracts/catalog';
import { type Loaded, runQuery } from '@scrip/event-store';
import { type BusinessClock, isRefused, notFound, type RequestContext } from '@scrip/kernel';
import { calendarAt, countOf } from '@scrip/list-query';
import { InjectBusinessClock, InjectListReader, type ListReader } from '@scrip/service';
import type { DataSource } from 'typeorm';
import type { CatalogRefusal } from '../catalog.refusals';
import { namesShipping, shipping } from './shipping';
import type { LiveProduct, ProductState } from './product.decider';
import { type ProductListQuery, productListStatements } from './product-list.query';

/** What a call says to find a product by, and the name that it wants to give. */
export interface SoughtProduct {
  id: string | null;
  /** Counts where no id is given. */
  source_id: string | null;
  name: string | null;
}

/** What is stored under an id or source id, deleted products too. */
export interface FoundProduct {
  /** Null: nothing is. */
  stored: (Loaded<ProductState> & { id: string }) | null;
  /** Whether another live product has the wanted name. */
  nameTaken: boolean;
}

interface FoundRow {
  id: string | null;
  state: ProductState;
  version: string;
  epoch: number;
  name_taken: boolean;
}

const namedSql = `
  SELECT project_id, id, state FROM products
  WHERE project_id = $1 AND (id = $2 OR source_id = $2) AND status = 'LIVE' ORDER BY (id = $2) DESC LIMIT 1`;

/** SKUs that a product shows; the list of them has all. */
const skusShown = 500;

const skusOf = "FROM skus s WHERE s.project_id = p.project_id AND s.product_id = p.id AND s.status = 'LIVE'";

const withSkusSql = `
  SELECT p.state,
    (SELECT jsonb_agg(shown.snapshot ORDER BY shown.created_at, shown.id)
      FROM (SELECT s.* ${skusOf} ORDER BY s.created_at, s.id LIMIT ${skusShown}) shown) AS skus,
    (SELECT total FROM (${countOf(`SELECT 1 ${skusOf}`)}) all_skus) AS total
  FROM (${namedSql}) p`;

const soughtSql = `
  SELECT p.id, p.state, p.version::text AS version, p.epoch,
    EXISTS (
      SELECT FROM products other
      WHERE other.project_id = $1 AND other.name = sought.name AND other.status = 'LIVE'
        AND other.id IS DISTINCT FROM p.id
    ) AS name_taken
  FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS sought(id, source_id, name, position)
  LEFT JOIN LATERAL (
    SELECT * FROM products WHERE project_id = $1 AND id = sought.id
    UNION ALL
    SELECT * FROM products WHERE project_id = $1 AND source_id = sought.source_id AND sought.id IS NULL
  ) p ON true
  ORDER BY sought.position`;

/** Reads products as they stand. */
@Injectable()
export class ProductReads {
  constructor(
    @InjectDataSource('catalog') private readonly dataSource: DataSource,
    @InjectListReader('catalog') private readonly lists: ListReader,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {}

  /** The live product of an id or, where no live product has that, of a source id. Refuses `not_found`. */
  async find({ project }: RequestContext, idOrSourceId: string): Promise<ProductSnapshot | CatalogRefusal> {
    if (namesShipping(idOrSourceId)) return shipping;
    const [row] = await runQuery<{ state: LiveProduct }>(this.dataSource, namedSql, [
      project.id,
      idOrSourceId,
    ]);
    return row?.state.product ?? notFound('product', idOrSourceId);
  }

  /** As `find`, with its oldest SKUs, and how many there are as far as lists count. */
  async findWithSkus(
    { project }: RequestContext,
    idOrSourceId: string,
  ): Promise<{ product: ProductSnapshot; skus: SkuSnapshot[]; total: number } | CatalogRefusal> {
    if (namesShipping(idOrSourceId)) return { product: shipping, skus: [], total: 0 };
    const [row] = await runQuery<{ state: LiveProduct; skus: SkuSnapshot[] | null; total: string }>(
      this.dataSource,
      withSkusSql,
      [project.id, idOrSourceId],
    );
    if (!row) return notFound('product', idOrSourceId);
    return { product: row.state.product, skus: row.skus ?? [], total: Number(row.total) };
  }

  /** What is stored of each, in their order, by one statement. */
  async findSought({ project }: RequestContext, sought: readonly SoughtProduct[]): Promise<FoundProduct[]> {
    const rows = await runQuery<FoundRow>(this.dataSource, soughtSql, [
      project.id,
      sought.map(({ id }) => id),
      sought.map(({ source_id }) => source_id),
      sought.map(({ name }) => name),
    ]);
    return rows.map(({ id, state, version, epoch, name_taken }) => ({
      stored: id === null ? null : { id, state, version: Number(version), epoch },
      nameTaken: name_taken,
    }));
  }

  /** A page of products, and how many match, as far as lists count. Refuses `invalid_query_params`. */
  async list(
    context: RequestContext,
    query: ProductListQuery,
  ): Promise<{ products: ProductSnapshot[]; total: number } | CatalogRefusal> {
    const { project } = context;
    const calendar = calendarAt(project, this.clock.now(project));
    const statements = productListStatements(project.id, query, calendar);
    if (isRefused(statements)) return statements;
    const { rows, total } = await this.lists.page<{ state: LiveProduct }>(context, statements);
    return { products: rows.map(({ state }) => state.product), total };
  }
}
