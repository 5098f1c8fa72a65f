import { IsDateInput, IsText, offsetOf, orderOf } from '@scrip/edge';
import { isRefused, type Refusal, refuse } from '@scrip/kernel';
import { type Calendar, countOf, type ListStatements, countedMax, StatementValues } from '@scrip/list-query';
import { IsOptional } from 'class-validator';
import { recordOrder, recordTimesQuery, timesSql } from '../record-times.query';
import { allProducts } from './all-products';

/** Query of GET /v1/product-collections/{productCollectionId}/products. Source: reference 07 §1.4. */
export class CollectionItemsQuery extends recordTimesQuery('-created_at') {
  @IsOptional() @IsDateInput() starting_after?: string;
  @IsOptional() @IsText({ min: 1, max: 512 }) starting_after_id?: string;
}

/** Where rows `t` of records come from: each source by an index of its own, in the order of the list. */
interface Source {
  select: string;
  from: string;
  where: string;
}

const ofProducts: Source = {
  select: `'product'::text COLLATE "C" AS object, t.id, t.id AS product_id, t.created_at, t.updated_at`,
  from: 'products t',
  where: "t.project_id = $1 AND t.status = 'LIVE'",
};

const ofSkus: Source = {
  select: `'sku'::text COLLATE "C" AS object, t.id, t.product_id, t.created_at, t.updated_at`,
  from: `skus t JOIN products owner
    ON owner.project_id = t.project_id AND owner.id = t.product_id AND owner.status = 'LIVE'`,
  where: "t.project_id = $1 AND t.status = 'LIVE'",
};

// What was deleted a moment ago may still be kept.
const ofKept = (collection: string): Source => ({
  select: 't.object, t.id, t.product_id, t.created_at, t.updated_at',
  from: `collection_items t
    JOIN products owner ON owner.project_id = t.project_id AND owner.id = t.product_id AND owner.status = 'LIVE'
    LEFT JOIN skus ON t.object = 'sku' AND skus.project_id = t.project_id AND skus.id = t.id AND skus.status = 'LIVE'`,
  where: `t.project_id = $1 AND t.collection_id = ${collection} AND (t.object = 'product' OR skus.id IS NOT NULL)`,
});

/** Returns the statements of a page of a collection's records and of their count; a place to start after moves the page and
 *  not the count. Refuses filters whose values do not fit, an id without the time that it breaks ties of, and a place beside an
 *  order whose values change. */
export const collectionItemsStatements = (
  { projectId, collectionId }: { projectId: string; collectionId: string },
  query: CollectionItemsQuery,
  calendar: Calendar,
): ListStatements | Refusal<'invalid_query_params'> => {
  const order = orderOf(query.order);
  const { starting_after: after, starting_after_id: afterId, limit } = query;
  if (after !== undefined && order.field !== 'created_at')
    return refuse(
      'invalid_query_params',
      'Property .starting_after cannot be combined with an order other than created_at or -created_at',
    );
  if (afterId !== undefined && after === undefined)
    return refuse('invalid_query_params', 'Property .starting_after_id goes with .starting_after only');
  const { all, add } = new StatementValues();
  add(projectId);
  const sources = collectionId === allProducts.id ? [ofProducts, ofSkus] : [ofKept(add(collectionId))];
  const times = timesSql(query, calendar, add);
  if (isRefused(times)) return times;
  const matching = times.join(' AND ');
  const counted = [...all];
  const beyond: string[] = [];
  if (after !== undefined) {
    const at = `${add(after)}::timestamptz`;
    const sign = order.descending ? '<' : '>';
    beyond.push(
      afterId === undefined
        ? `t.created_at ${sign} ${at}`
        : `(t.created_at, t.id) ${sign} (${at}, ${add(afterId)})`,
    );
  }
  const byObject = (alias: string): string => `, ${alias}.object ${order.descending ? 'DESC' : 'ASC'}`;
  const inOrder = recordOrder('k', order) + byObject('k');
  const offset = offsetOf(query);
  const kept = sources.length === 1;
  const pages = sources.map(
    ({
      select,
      from,
      where: own,
    }) => `(SELECT ${select} FROM ${from} WHERE ${[own, matching, ...beyond].join(' AND ')}
      ORDER BY ${recordOrder('t', order)}${kept ? byObject('t') : ''} LIMIT ${limit + offset})`,
  );
  const counts = sources.map(
    ({ from, where: own }) => `(SELECT 1 FROM ${from} WHERE ${own} AND ${matching} LIMIT ${countedMax})`,
  );
  return {
    page: {
      text: `SELECT p.state->'product' AS product, s.snapshot AS sku
        FROM (SELECT * FROM (${pages.join(' UNION ALL ')}) k ORDER BY ${inOrder} LIMIT ${limit} OFFSET ${offset}) k
        JOIN products p ON p.project_id = $1 AND p.id = k.product_id
        LEFT JOIN skus s ON k.object = 'sku' AND s.project_id = $1 AND s.id = k.id
        ORDER BY ${inOrder}`,
      values: [...all],
    },
    count: { text: countOf(`SELECT FROM (${counts.join(' UNION ALL ')}) matching`), values: counted },
    limit,
    offset,
    behindCursor: after !== undefined,
  };
};
