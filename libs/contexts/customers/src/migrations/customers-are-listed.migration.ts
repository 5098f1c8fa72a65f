import type { MigrationInterface, QueryRunner } from 'typeorm';

// What says something of a person stands in the row of the key: the deletion of that row takes it along.
const keyColumns = `
  ALTER TABLE customer_keys
    ADD COLUMN source_id text COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN name_hash text COLLATE "C",
    ADD COLUMN email_hash text COLLATE "C",
    ADD COLUMN city_hash text COLLATE "C",
    ADD COLUMN created_at timestamptz,
    ADD COLUMN listed boolean`;

const customerColumns = `
  ALTER TABLE customers ADD COLUMN changed_at timestamptz, ADD COLUMN deleted_at timestamptz;
  UPDATE customers SET changed_at = coalesce(state->>'updated_at', state->>'created_at')::timestamptz,
    deleted_at = (state->>'deleted_at')::timestamptz`;

const indexes = `
  CREATE INDEX customers_created ON customers (project_id, created_at, id) WHERE deleted_at IS NULL;
  CREATE INDEX customers_changed ON customers (project_id, changed_at, id) WHERE deleted_at IS NULL;
  CREATE INDEX customer_keys_source ON customer_keys (project_id, source_id, customer_id) WHERE listed;
  CREATE INDEX customer_keys_name ON customer_keys (project_id, name_hash, created_at, customer_id)
    WHERE name_hash IS NOT NULL;
  CREATE INDEX customer_keys_email ON customer_keys (project_id, email_hash, created_at, customer_id)
    WHERE email_hash IS NOT NULL;
  CREATE INDEX customer_keys_city ON customer_keys (project_id, city_hash, created_at, customer_id)
    WHERE city_hash IS NOT NULL;
  CREATE INDEX customer_keys_unread ON customer_keys (project_id, customer_id) WHERE listed IS NULL`;

/** Lists of customers find what they filter and sort by through indexes. Source: ADR 72. */
export class CustomersAreListed1800000000500 implements MigrationInterface {
  readonly name = 'CustomersAreListed1800000000500';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [keyColumns, customerColumns, indexes]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX customers_created, customers_changed, customer_keys_source, customer_keys_name, customer_keys_email,
        customer_keys_city, customer_keys_unread;
      ALTER TABLE customers DROP COLUMN changed_at, DROP COLUMN deleted_at;
      ALTER TABLE customer_keys DROP COLUMN source_id, DROP COLUMN name_hash, DROP COLUMN email_hash,
        DROP COLUMN city_hash, DROP COLUMN created_at, DROP COLUMN listed`);
  }
}
