import type { MigrationInterface, QueryRunner } from 'typeorm';

// The default is for processes of the earlier release that still run: machine time.
// Of rows that name the event that holds the order, only the event says when the order changed: it is what changed it last.
const lastChange = `
  ALTER TABLE orders ADD COLUMN changed_at timestamptz;
  UPDATE orders SET changed_at = coalesce(state->>'updated_at', state->>'created_at')::timestamptz WHERE state IS NOT NULL;
  UPDATE orders t SET changed_at = coalesce(e.data->'order'->>'updated_at', e.data->'order'->>'created_at')::timestamptz
    FROM events e
    WHERE t.state IS NULL AND e.project_id = t.project_id AND e.aggregate = 'order' AND e.stream_id = t.id
      AND e.version = t.snapshot_version AND e.recorded_at = t.snapshot_at;
  UPDATE orders SET changed_at = created_at WHERE changed_at IS NULL;
  ALTER TABLE orders ALTER COLUMN changed_at SET NOT NULL, ALTER COLUMN changed_at SET DEFAULT now()`;

const indexes = `
  CREATE INDEX orders_created ON orders (project_id, created_at, id);
  CREATE INDEX orders_changed ON orders (project_id, changed_at, id)`;

/** Lists of orders are read by indexes. Source: reference 07 §1.4. */
export class OrdersAreListed1800000000800 implements MigrationInterface {
  readonly name = 'OrdersAreListed1800000000800';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [lastChange, indexes]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP INDEX orders_created, orders_changed; ALTER TABLE orders DROP COLUMN changed_at',
    );
  }
}
