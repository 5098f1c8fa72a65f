import type { Calendar, ListStatements } from '@scrip/list-query';
import type { CatalogRefusal } from '../catalog.refusals';
import { RecordListQuery, recordListStatements } from '../record-list.query';

/** Query of GET /v1/products. Source: reference 07 §1.4. */
export class ProductListQuery extends RecordListQuery {}

/** Returns the statements of a page of products and of their count. Refuses as `recordListStatements` does. */
export const productListStatements = (
  projectId: string,
  query: ProductListQuery,
  calendar: Calendar,
): ListStatements | CatalogRefusal =>
  recordListStatements(
    {
      table: 'products',
      columns: 't.state',
      of: { project_id: projectId },
      streamOf: (cursor) => cursor,
    },
    query,
    calendar,
  );
