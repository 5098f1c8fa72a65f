import type { MigrationInterface, QueryRunner } from 'typeorm';

const indexes = ([created, changed, source]: readonly [string, string, string]): string => `
  DROP INDEX customers_created, customers_changed, customer_keys_source;
  CREATE INDEX customers_created ON customers (project_id, created_at, id${created}) WHERE deleted_at IS NULL;
  CREATE INDEX customers_changed ON customers (project_id, changed_at, id${changed}) WHERE deleted_at IS NULL;
  CREATE INDEX customer_keys_source ON customer_keys (project_id, source_id, customer_id${source}) WHERE listed`;

/** Lists of customers that are filtered by another time than they are sorted by look at it in the index, and read no row that
 *  does not match. Source: ADR 72. */
export class CustomersAreFilteredInIndexes1800000002150 implements MigrationInterface {
  readonly name = 'CustomersAreFilteredInIndexes1800000002150';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(indexes([', changed_at', ', created_at', ', created_at']));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(indexes(['', '', '']));
  }
}
