import type { AddValue } from '@scrip/list-query';

const objects = 'customer_published_objects p';
const times = 'customer_publications p';

/** Returns, of a condition on `p.object_id` and `p.published_at`, that something published for the customer `c.id` fits it; unknown
 *  where nothing does. Each table has one index, so that PostgreSQL cannot take the other one and read all that a customer got; the
 *  limit keeps it a look into the index for each customer: of EXISTS all rows of the project may be read. Source: ADR 155. */
export const publishedTo =
  (projectId: string, add: AddValue) =>
  (condition: string): string =>
    `(SELECT true FROM ${condition.includes('p.object_id') ? objects : times}
      WHERE p.project_id = ${add(projectId)} AND p.customer_id = c.id AND ${condition} LIMIT 1)`;

/** Whether conditions of `segmentFilterSql` read publications. */
export const readsPublications = (conditions: string): boolean =>
  [objects, times].some((table) => conditions.includes(`FROM ${table}`));
