import { type Refusal, type RequestContext, refuse } from '@scrip/kernel';
import type { CreatedCursor } from '@scrip/list-query';
import type { ListReader } from './list-reader';

/** What a list by pages sends of its cursor and its order. */
interface CursorQuery {
  order: string;
  starting_after_id?: string;
}

/** Where the record of `starting_after_id` is, and what a refusal calls it. `tables`: with `project_id` and `id` as their keys. */
interface Listed {
  tables: readonly string[];
  what?: string;
}

/** The record of `starting_after_id`, one in the bin too. Null where none is sent. Refuses `invalid_query_params`: an unknown id, and
 *  an order whose values change. Source: reference 07 §1.4. */
export const createdCursor = async (
  lists: ListReader,
  caller: RequestContext,
  { order, starting_after_id: id }: CursorQuery,
  { tables, what = 'entry' }: Listed,
): Promise<CreatedCursor | null | Refusal<'invalid_query_params'>> => {
  if (id === undefined) return null;
  if (order.replace(/^-/, '') !== 'created_at')
    return refuse(
      'invalid_query_params',
      'Property .starting_after_id cannot be combined with an order other than created_at or -created_at',
    );
  const text = tables
    .map(
      (table) => `SELECT id, created_at::text AS created_at FROM ${table} WHERE project_id = $1 AND id = $2`,
    )
    .join(' UNION ALL ');
  const [found] = await lists.rows<{ id: string; created_at: string }>(caller, {
    text,
    values: [caller.project.id, id],
  });
  return (
    found ?? refuse('invalid_query_params', `Property .starting_after_id names no ${what} of the list: ${id}`)
  );
};
