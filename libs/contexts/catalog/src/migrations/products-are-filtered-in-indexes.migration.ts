import type { MigrationInterface, QueryRunner } from 'typeorm';

// The old ones go last: to drop one locks out readers to the end of the migration, and to build one does not.
const indexes = ([created, updated]: readonly [string, string]): string => `
  CREATE INDEX products_created_next ON products (project_id, created_at, id${created}) WHERE status = 'LIVE';
  CREATE INDEX products_updated_next ON products (project_id, updated_at DESC NULLS LAST, id DESC${updated})
    WHERE status = 'LIVE';
  DROP INDEX products_created, products_updated;
  ALTER INDEX products_created_next RENAME TO products_created;
  ALTER INDEX products_updated_next RENAME TO products_updated`;

/** Lists of products that are filtered by another time than they are sorted by look at it in the index, and read no row that does
 *  not match. */
export class ProductsAreFilteredInIndexes1800000002150 implements MigrationInterface {
  readonly name = 'ProductsAreFilteredInIndexes1800000002150';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(indexes([', updated_at', ', created_at']));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(indexes(['', '']));
  }
}
