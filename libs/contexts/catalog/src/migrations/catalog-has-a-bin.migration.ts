import { CreateBinEntries } from '@scrip/trash-bin';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const bin = new CreateBinEntries();

// An id that sorts by the time of the deletion, as new ones do.
const idOf = (record: string): string => `
  'tbe_' || lpad(to_hex((extract(epoch FROM d.at) * 1000)::bigint), 12, '0')
    || right(md5(${record}.project_id || ' ' || ${record}.id), 20)`;

const deletionOf = (record: string, { stream, type, where }: Record<'stream' | 'type' | 'where', string>) => `
  LEFT JOIN LATERAL (
    SELECT e.data::jsonb->>'deleted_at' AS deleted_at, e.metadata::jsonb->>'actor_id' AS actor_id FROM events e
    WHERE e.project_id = ${record}.project_id AND e.aggregate = 'product' AND e.stream_id = ${stream}
      AND e.type = '${type}' AND ${where}
    ORDER BY e.version DESC LIMIT 1
  ) e ON true
  CROSS JOIN LATERAL (SELECT coalesce(e.deleted_at::timestamptz, ${record}.updated_at, ${record}.created_at) AS at) d`;

const products = `
  INSERT INTO bin_entries
    (project_id, id, created_at, deleted_by_user_id, resource_id, resource_type, resource_name, resource_parent_id)
  SELECT p.project_id, ${idOf('p')}, d.at, e.actor_id, p.id, 'product', coalesce(p.name, p.source_id, p.id), NULL
  FROM products p ${deletionOf('p', { stream: 'p.id', type: 'ProductDeleted', where: 'true' })}
  WHERE p.status = 'BINNED'`;

const skus = `
  INSERT INTO bin_entries
    (project_id, id, created_at, deleted_by_user_id, resource_id, resource_type, resource_name, resource_parent_id)
  SELECT s.project_id, ${idOf('s')}, d.at, e.actor_id, s.id, 'sku', coalesce(s.sku, s.source_id, s.id), s.product_id
  FROM skus s ${deletionOf('s', { stream: 's.product_id', type: 'SkuDeleted', where: "e.data::jsonb->'sku'->>'id' = s.id" })}
  WHERE s.status = 'BINNED'`;

/** The bin, with entries for what was deleted before. */
export class CatalogHasABin1800000002500 implements MigrationInterface {
  readonly name = 'CatalogHasABin1800000002500';

  async up(runner: QueryRunner): Promise<void> {
    await bin.up(runner);
    for (const sql of [products, skus]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await bin.down(runner);
  }
}
