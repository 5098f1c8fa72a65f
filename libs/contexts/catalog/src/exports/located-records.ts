import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { ExportParameters } from '@scrip/contracts/operations';
import { runQuery } from '@scrip/event-store';
import { exportCondition } from '@scrip/exports';
import { isRefused, type RequestContext } from '@scrip/kernel';
import { calendarAt, type FilterColumns, locationsOf, placesSql, StatementValues } from '@scrip/list-query';
import {
  type FilterContext,
  type FilterContextNow,
  FilterContexts,
  type PlacesInLocations,
} from '@scrip/metadata';
import type { MetadataTypes } from '@scrip/metadata-schemas';
import type { DataSource } from 'typeorm';
import { columnsWith } from '../collection/collection-filter';
import type { TestedRecord } from '../collection/collection-matching';
import { recordsSql } from '../collection/collection-records.sql';

type Filtered = Pick<ExportParameters, 'filters'>;

/** Whether a filter can be tested only where the places of the records are known. */
export const asksForLocations = ({ filters }: Filtered): boolean => locationsOf(filters).length > 0;

/** The fields of collections, and another name of `name`. */
export const exportColumns = ({ project, now, typeOf, places }: FilterContext): FilterColumns => {
  const columns = columnsWith({ typeOf, calendar: calendarAt(project, now) }, places);
  return { ...columns, sku: columns['name']! };
};

/** Tests records against filters that ask for locations, as collections do. */
@Injectable()
export class LocatedRecords {
  constructor(
    @InjectDataSource('catalog') private readonly dataSource: DataSource,
    private readonly filterContexts: FilterContexts,
  ) {}

  /** Returns the ids of those records that match as they are now. Throws `Fault` where auth does not answer. */
  async matching(
    context: RequestContext,
    records: readonly TestedRecord[],
    { filters }: Filtered,
    typeOf: MetadataTypes,
  ): Promise<Set<string>> {
    const at = { ...(await this.filterContexts.now(context, 'product')), typeOf };
    const places = await this.placesOf(at, records, { filters });
    const { all, add } = new StatementValues();
    const from = this.selected(at, records, add);
    const filter = exportCondition({ filters }, exportColumns({ ...at, places }), add);
    if (isRefused(filter)) throw new Error(`the filter of an export is refused: ${filter.details}`);
    const rows = await runQuery<{ id: string }>(
      this.dataSource,
      `SELECT r.id FROM ${from} WHERE ${filter}`,
      all,
    );
    return new Set(rows.map(({ id }) => id));
  }

  private async placesOf(
    at: FilterContextNow,
    records: readonly TestedRecord[],
    { filters }: Filtered,
  ): Promise<PlacesInLocations> {
    const { all, add } = new StatementValues();
    const sql = placesSql([filters], exportColumns(at), this.selected(at, records, add), add);
    const rows = sql === null ? [] : await runQuery<{ place: string }>(this.dataSource, sql, all);
    return at.placesIn(
      rows.map(({ place }) => place),
      locationsOf(filters),
    );
  }

  private selected(
    { project }: FilterContext,
    records: readonly TestedRecord[],
    add: StatementValues['add'],
  ): string {
    const idsOf = (object: TestedRecord['object']): string[] =>
      records.filter((record) => record.object === object).map(({ id }) => id);
    const [products, skus] = [add(idsOf('product')), add(idsOf('sku'))];
    return `(${recordsSql({ project: add(project.id), products, skus })}) r`;
  }
}
