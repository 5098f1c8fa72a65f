import type { FilterColumns } from '@scrip/list-query';

/** Filters by category, as categories are now. `id`: the SQL of the id that a record names, which has an index; `project`: the
 *  placeholder of the project's id. Source: ADR 122. */
export const categoryColumns = (id: string, project: string): FilterColumns => {
  // The categories are found by a query of its own, which runs once: the index then finds the records.
  const refersTo = (condition: string, one: boolean): string => {
    const fitting = `SELECT k.id FROM categories k WHERE k.project_id = ${project} AND ${condition}`;
    return one ? `${id} = (${fitting})` : `${id} = ANY (ARRAY(${fitting}))`;
  };
  return {
    categories: { kind: 'text', sql: 'k.name', refersTo },
    category_ids: { kind: 'text', sql: 'k.id', refersTo },
  };
};
