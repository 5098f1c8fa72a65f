import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Answers to keyed commands are found by the customers that they show, and stored without those that are erased. */
export class AnswersNameCustomers1800000002710 implements MigrationInterface {
  readonly name = 'AnswersNameCustomers1800000002710';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE idempotency_keys ADD COLUMN customers text[] COLLATE "C";
      UPDATE idempotency_keys SET customers = ARRAY(
        SELECT DISTINCT found[1] FROM regexp_matches(body, '"(cust_\\w+)"', 'g') AS m(found))
      WHERE body LIKE '%"cust\\_%';
      CREATE INDEX idempotency_keys_customers ON idempotency_keys USING gin (customers);
      CREATE TABLE idempotency_erased (
        project_id text COLLATE "C" NOT NULL,
        customer_id text COLLATE "C" NOT NULL,
        erased_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (project_id, customer_id)
      );
      CREATE INDEX idempotency_erased_at ON idempotency_erased (erased_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_erased; ALTER TABLE idempotency_keys DROP COLUMN customers');
  }
}
