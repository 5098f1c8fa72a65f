import type { AddValue } from '@scrip/list-query';

const objects = 'customer_published_objects p';
const times = 'customer_publications p';

/** Returns a subquery that is true where the customer `c.id` has a row `p` that fits the condition, and NULL where none fits. The
 *  condition is on `p.object_id` and `p.published_at`. With LIMIT 1, PostgreSQL looks into the index once for each customer; with EXISTS
 *  it may read all rows of the project. Source: ADR 155. */
export const publishedTo =
  (projectId: string, add: AddValue) =>
  (condition: string): string =>
    `(SELECT true FROM ${condition.includes('p.object_id') ? objects : times}
      WHERE p.project_id = ${add(projectId)} AND p.customer_id = c.id AND ${condition} LIMIT 1)`;

/** Whether conditions of `segmentFilterSql` read publications. */
export const readsPublications = (conditions: string): boolean =>
  [objects, times].some((table) => conditions.includes(`FROM ${table}`));
