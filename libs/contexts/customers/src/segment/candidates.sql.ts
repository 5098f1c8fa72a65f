import { sumsOf } from '../summary/customer-blocks';
import type { FactsRead } from './facts-read';

/** Customers of one step of a build, or of one look at all customers. */
export const chunk = 2_000;

/** Rows of keys that a step looks through at most for customers who may match. */
export const lookedThrough = 50_000;

const sums = sumsOf('t', 'customer_id');

// Both tables get the condition: PostgreSQL does not carry it from one to the other, and would read all keys before the id, or all
// customers of `ids` whose keys are left out.
const conditions = {
  ids: 'c.id = ANY($2) AND k.customer_id = ANY($2)',
  behind: 'c.id > $2 AND k.customer_id > $2',
};

/** Reads what `facts` says of customers to test, by id: of those of `ids`, or of the next ones `behind` an id. `also`: further
 *  conditions; those on their keys `k` not with `lock`, which sees keys as they were before it waited. `lock`: they stay as they are
 *  until the end of the transaction. Sums may change meanwhile: then the customer is tested again. */
export const candidatesSql = (
  of: keyof typeof conditions,
  { facts, lock = false, also = [] }: { facts: FactsRead; lock?: boolean; also?: readonly string[] },
): string => `
  SELECT t.* ${facts.sums ? `, ${sums}` : ''} FROM (
    SELECT k.project_id, k.customer_id, c.version::int AS version, c.epoch,
      c.state->>'created_at' AS created_at, c.state->>'updated_at' AS updated_at
      ${facts.profile ? `, k.wrapped_key, c.state->>'sealed' AS sealed` : ''}
    FROM customers c JOIN customer_keys k ON k.project_id = c.project_id AND k.customer_id = c.id
    WHERE c.project_id = $1 AND k.project_id = $1 AND c.deleted_at IS NULL
      AND ${[conditions[of], ...also].join(' AND ')}
    ORDER BY c.id ${of === 'behind' ? `LIMIT ${chunk}` : ''} ${lock ? 'FOR SHARE OF c' : ''}
  ) t
  ORDER BY t.customer_id`;

/** The customer that a step looks through to; no row where it gets behind the last one. */
export const lookedThroughToSql = `
  SELECT customer_id AS id FROM customer_keys WHERE project_id = $1 AND customer_id > $2
  ORDER BY customer_id OFFSET ${lookedThrough - 1} LIMIT 1`;

/** The condition that a customer is not behind one. */
export const upToSql = (id: string): string => `c.id <= ${id} AND k.customer_id <= ${id}`;

/** The condition that a customer among those of `ids` is a member of one of the segments. */
export const isMemberSql = (segmentIds: string): string => `k.customer_id IN (
  SELECT customer_id FROM segment_members WHERE project_id = $1 AND customer_id = ANY($2) AND segment_id = ANY(${segmentIds}))`;

/** Locks customers `$2` against changes until the end of the transaction, and returns which versions they have. */
export const lockSql = `
  SELECT id, version::int AS version, epoch FROM customers
  WHERE project_id = $1 AND id = ANY($2) AND deleted_at IS NULL ORDER BY id FOR SHARE`;
