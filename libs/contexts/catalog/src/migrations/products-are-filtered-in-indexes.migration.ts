import type { MigrationInterface, QueryRunner } from 'typeorm';

const indexes = ([created, updated]: readonly [string, string]): string => `
  DROP INDEX products_created, products_updated;
  CREATE INDEX products_created ON products (project_id, created_at, id${created}) WHERE status = 'LIVE';
  CREATE INDEX products_updated ON products (project_id, updated_at DESC NULLS LAST, id DESC${updated})
    WHERE status = 'LIVE'`;

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
