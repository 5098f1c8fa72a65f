import type { MigrationInterface, QueryRunner } from 'typeorm';

// `amount` is null of an order that does not count; so that what an order counted for can be taken back, each has a row.
// Amounts are in minor units. Rows are changed in place: no index has a column that changes.
const createSummaries = `
  CREATE TABLE customer_orders (
    project_id text COLLATE "C" NOT NULL,
    order_id text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    customer_id text COLLATE "C" NOT NULL,
    amount bigint,
    ordered_at timestamptz NOT NULL,
    PRIMARY KEY (project_id, order_id)
  );
  CREATE INDEX customer_orders_counted ON customer_orders (project_id, customer_id, ordered_at, order_id)
    WHERE amount IS NOT NULL;
  CREATE TABLE customer_order_summaries (
    project_id text COLLATE "C" NOT NULL,
    customer_id text COLLATE "C" NOT NULL,
    total_amount bigint NOT NULL,
    total_count bigint NOT NULL,
    last_order_id text COLLATE "C",
    last_order_amount bigint,
    last_order_at timestamptz,
    PRIMARY KEY (project_id, customer_id)
  ) WITH (fillfactor = 80);
  CREATE TABLE customer_redemption_summaries (
    project_id text COLLATE "C" NOT NULL,
    customer_id text COLLATE "C" NOT NULL,
    failed bigint NOT NULL,
    succeeded bigint NOT NULL,
    rollback_failed bigint NOT NULL,
    rollback_succeeded bigint NOT NULL,
    gift_amount bigint NOT NULL,
    points bigint NOT NULL,
    PRIMARY KEY (project_id, customer_id)
  ) WITH (fillfactor = 80);
  CREATE TABLE segment_retests (
    project_id text COLLATE "C" NOT NULL,
    customer_id text COLLATE "C" NOT NULL,
    change xid8 NOT NULL,
    leased_until timestamptz NOT NULL,
    PRIMARY KEY (project_id, customer_id)
  ) WITH (fillfactor = 80);
  CREATE INDEX segment_retests_oldest ON segment_retests (change, project_id, customer_id)`;

/** Tables of what orders and redemptions say of customers, and of the customers whose segments that may change. */
export class CreateSummaries1800000001900 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(createSummaries);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE customer_orders, customer_order_summaries, customer_redemption_summaries, segment_retests',
    );
  }
}
