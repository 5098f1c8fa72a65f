import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { ProductCollectionSnapshot } from '@scrip/contracts/catalog';
import { runQuery } from '@scrip/event-store';
import { type BusinessClock, isRefused, type RequestContext } from '@scrip/kernel';
import { calendarAt } from '@scrip/list-query';
import { InjectBusinessClock, InjectListReader, type ListReader } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { allProducts } from './all-products';
import { type CollectionItemsQuery, collectionItemsStatements } from './collection-items-list.query';
import { type CollectionListQuery, collectionListStatements } from './collection-list.query';
import { collectionNotFound, type CollectionRefusal } from './collection.decider';
import type { CollectedItem } from './collection.wire';

/** Reads collections as they stand. */
@Injectable()
export class CollectionReads {
  constructor(
    @InjectDataSource('catalog') private readonly dataSource: DataSource,
    @InjectListReader('catalog') private readonly lists: ListReader,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {}

  /** Refuses `not_found`. */
  async find(
    { project }: RequestContext,
    id: string,
  ): Promise<ProductCollectionSnapshot | CollectionRefusal> {
    const [found] = await this.named(project.id, [id]);
    return found ?? collectionNotFound(id);
  }

  /** The live collections of these ids, the built-in one too, in no order. */
  async named(projectId: string, ids: readonly string[]): Promise<ProductCollectionSnapshot[]> {
    const stored = ids.filter((id) => id !== allProducts.id);
    const rows = stored.length
      ? await runQuery<{ collection: ProductCollectionSnapshot }>(
          this.dataSource,
          `SELECT state->'collection' AS collection FROM product_collections
           WHERE project_id = $1 AND id = ANY($2) AND NOT deleted`,
          [projectId, stored],
        )
      : [];
    const found = rows.map(({ collection }) => collection);
    return stored.length === ids.length ? found : [allProducts, ...found];
  }

  /** A page of collections, and how many there are. */
  async list(
    context: RequestContext,
    query: CollectionListQuery,
  ): Promise<{ collections: ProductCollectionSnapshot[]; total: number }> {
    const { rows, total } = await this.lists.page<{ collection: ProductCollectionSnapshot }>(
      context,
      collectionListStatements(context.project.id, query),
    );
    return { collections: rows.map(({ collection }) => collection), total };
  }

  /** A page of what belongs to a collection, and how much that is as far as lists count. Refuses `not_found` and
   *  `invalid_query_params`. */
  async items(
    context: RequestContext,
    id: string,
    query: CollectionItemsQuery,
  ): Promise<{ items: CollectedItem[]; total: number } | CollectionRefusal> {
    const found = await this.find(context, id);
    if (isRefused(found)) return found;
    const { project } = context;
    const calendar = calendarAt(project, this.clock.now(project));
    const statements = collectionItemsStatements(
      { projectId: project.id, collectionId: id },
      query,
      calendar,
    );
    if (isRefused(statements)) return statements;
    const { rows, total } = await this.lists.page<CollectedItem>(context, statements);
    return { items: rows, total };
  }
}
