import type { ExportedObject, ExportParameters } from '@scrip/contracts/operations';
import type { Metadata } from '@scrip/contracts/snapshot';
import { isRefused, type Refusal, refuse, type RequestContext } from '@scrip/kernel';
import { type AddValue, type FilterColumns, filterSql, type SqlStatement } from '@scrip/list-query';
import type { MetadataTypes, RelatedObject } from '@scrip/metadata-schemas';

/** One kind of records, as its context exports them. `Row`: what the statement answers; `Item`: what cells are made of. */
export interface ExportKind<Row = any, Item = any> {
  readonly kind: ExportedObject;
  /** Whose metadata schema names the columns of `metadata`; null: the records have no metadata. */
  readonly metadataSchema: RelatedObject | null;

  /** Fields of orders whose values PostgreSQL has only sealed: it cannot sort the rows. Their cells are texts, and the records have the
   *  cell `id`. Source: ADR 152. */
  readonly sealedOrders?: readonly string[];

  /** The rows in their order, ties broken by id, or in any where their order is one of `sealedOrders`: a SELECT without LIMIT. Refuses filters whose values do not fit. `typeOf`: what
   *  filters of metadata compare by. */
  statement(
    context: RequestContext,
    parameters: ExportParameters,
    typeOf: MetadataTypes,
  ): SqlStatement | Refusal<'invalid_payload'>;

  /** What is shown of some hundred rows, in their order. Rows may be left out. */
  open(
    context: RequestContext,
    rows: readonly Row[],
    parameters: ExportParameters,
    typeOf: MetadataTypes,
  ): Promise<Item[]>;

  /** The value of each column: a text, a number, a flag, a list or an object; null and undefined are empty. */
  readonly cells: Readonly<Record<string, (item: Item) => unknown>>;

  metadataOf(item: Item): Metadata | null;
}

/** The filters of an export as one SQL condition. Refuses operators and values that do not fit their field. */
export const exportCondition = (
  { filters }: Pick<ExportParameters, 'filters'>,
  columns: FilterColumns,
  add: AddValue,
): string | Refusal<'invalid_payload'> => {
  const sql = filterSql(filters, columns, add);
  if (!isRefused(sql)) return sql;
  return refuse(
    'invalid_payload',
    sql.details?.replace(/^Property \.filters\./, 'Property .parameters.filters.'),
  );
};
