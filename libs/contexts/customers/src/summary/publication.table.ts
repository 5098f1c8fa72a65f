import type { PublicationEvent, PublicationSucceeded } from '@scrip/contracts/campaigns';
import type { StoredEvent } from '@scrip/event-store';
import type { ErasedCustomer } from '@scrip/contracts/customers';
import type { EntityManager } from 'typeorm';
import { retestsOf } from '../segment/retest.table';

/** What a publication gave a customer. */
export interface Published {
  project_id: string;
  customer_id: string;
  published_at: string;
  /** The vouchers, and the campaign that they are of. */
  object_ids: string[];
}

/** The publications that succeeded. Source: reference 07 §4. */
export const publishedBy = (events: readonly StoredEvent[]): Published[] =>
  events
    .filter(({ type }) => (type as PublicationEvent['type']) === 'PublicationSucceeded')
    .map(({ projectId, data }) => {
      const { customer_id, vouchers, campaign_id, created_at } = (data as PublicationSucceeded['data'])
        .publication;
      return {
        project_id: projectId,
        customer_id,
        published_at: created_at,
        object_ids: [...vouchers.map(({ id }) => id), ...(campaign_id === null ? [] : [campaign_id])],
      };
    });

// The lock makes an erasure wait, so that its event finds all that was stored before.
const storeSql = `
  WITH told AS (
    SELECT p.* FROM jsonb_to_recordset($1::jsonb)
      AS p(project_id text, customer_id text, published_at timestamptz, object_ids text[])
    JOIN customer_keys k ON k.project_id = p.project_id AND k.customer_id = p.customer_id
    ORDER BY k.project_id, k.customer_id
    FOR KEY SHARE OF k
  ), times AS (
    INSERT INTO customer_publications (project_id, customer_id, published_at)
    SELECT project_id, customer_id, published_at FROM told
    ORDER BY project_id, customer_id, published_at
    ON CONFLICT (project_id, customer_id, published_at) DO NOTHING
  ), objects AS (
    INSERT INTO customer_published_objects (project_id, customer_id, object_id, published_at)
    SELECT t.project_id, t.customer_id, o.id, t.published_at FROM told t CROSS JOIN LATERAL unnest(t.object_ids) o(id)
    ORDER BY t.project_id, t.customer_id, o.id, t.published_at
    ON CONFLICT (project_id, customer_id, object_id, published_at) DO NOTHING
    RETURNING project_id, customer_id
  ), touched AS (SELECT DISTINCT project_id, customer_id FROM objects)
  ${retestsOf('touched')}`;

/** Stores what was published; what is stored already, or was published for an erased customer, is left out. */
export const storePublished = async (
  manager: EntityManager,
  published: readonly Published[],
): Promise<void> => {
  if (published.length > 0) await manager.query(storeSql, [JSON.stringify(published)]);
};

const deleteSql = (table: string): string => `
  DELETE FROM ${table} p USING unnest($1::text[], $2::text[]) n(project_id, customer_id)
  WHERE p.project_id = n.project_id AND p.customer_id = n.customer_id`;

/** Deletes what was published for erased customers. */
export const deletePublished = async (
  manager: EntityManager,
  erased: readonly ErasedCustomer[],
): Promise<void> => {
  if (erased.length === 0) return;
  const named = [erased.map(({ projectId }) => projectId), erased.map(({ customerId }) => customerId)];
  for (const table of ['customer_publications', 'customer_published_objects'])
    await manager.query(deleteSql(table), named);
};
