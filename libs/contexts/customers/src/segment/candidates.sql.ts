import { sumsOf } from '../summary/customer-blocks';

/** Customers of one step of a build, or of one look at all customers. */
export const chunk = 2_000;

const sums = sumsOf('t', 'customer_id');

// Both tables begin behind the id: else each step would read all keys that lie before it.
const conditions = {
  ids: 'c.id = ANY($2)',
  behind: 'c.id > $2 AND k.customer_id > $2',
};

/** Reads customers to test, by id: those of `ids`, or the next ones `behind` an id. `lock`: they stay as they are until the end of the
 *  transaction. Sums may change meanwhile: then the customer is tested again. */
export const candidatesSql = (of: keyof typeof conditions, { lock }: { lock: boolean }): string => `
  SELECT t.*, ${sums.columns} FROM (
    SELECT k.project_id, k.customer_id, k.wrapped_key, c.version::int AS version, c.epoch, c.state
    FROM customers c JOIN customer_keys k ON k.project_id = c.project_id AND k.customer_id = c.id
    WHERE c.project_id = $1 AND k.project_id = $1 AND c.deleted_at IS NULL AND ${conditions[of]}
    ORDER BY c.id ${of === 'behind' ? `LIMIT ${chunk}` : ''} ${lock ? 'FOR SHARE OF c' : ''}
  ) t ${sums.joins}
  ORDER BY t.customer_id`;
