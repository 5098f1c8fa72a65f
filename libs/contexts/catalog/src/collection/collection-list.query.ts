import { offsetOf, orderOf, pageQuery } from '@scrip/edge';
import { type ListStatements, pageStatements } from '@scrip/list-query';
import { allProducts } from './all-products';

/** Query of GET /v1/product-collections. Source: reference 07 §1.4. */
export class CollectionListQuery extends pageQuery({
  highestPage: 100,
  orders: ['created_at', 'updated_at', 'type', 'name'],
  order: '-created_at',
}) {}

/** Returns the statements of a page of collections, the built-in one among them, and of their count: a project has some
 *  hundred at most. */
export const collectionListStatements = (projectId: string, query: CollectionListQuery): ListStatements => {
  const { field, descending } = orderOf(query.order);
  const direction = descending ? 'DESC' : 'ASC';
  const { id, name, type, created_at } = allProducts;
  return pageStatements(
    {
      columns: 't.collection',
      from: `(
        SELECT c.state->'collection' AS collection, c.id, c.name, c.type, c.created_at, c.updated_at
        FROM product_collections c WHERE c.project_id = $1 AND NOT c.deleted
        UNION ALL
        SELECT $2::jsonb, $3, $4, $5, $6::timestamptz, NULL) t`,
      orderBy: `t.${field} ${direction} NULLS ${descending ? 'LAST' : 'FIRST'}, t.id ${direction}`,
      limit: query.limit,
      offset: offsetOf(query),
    },
    'true',
    [projectId, allProducts, id, name, type, created_at],
  );
};
