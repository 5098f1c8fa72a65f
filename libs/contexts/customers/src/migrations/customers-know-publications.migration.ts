import type { MigrationInterface, QueryRunner } from 'typeorm';

// `object_id`: the id of a voucher, or of its campaign. Each table has one index: of two indexes of one table PostgreSQL takes the
// wrong one where it estimates few rows for a customer.
const createPublications = `
  CREATE TABLE customer_publications (
    project_id text COLLATE "C" NOT NULL,
    customer_id text COLLATE "C" NOT NULL,
    published_at timestamptz NOT NULL,
    PRIMARY KEY (project_id, customer_id, published_at)
  );
  CREATE TABLE customer_published_objects (
    project_id text COLLATE "C" NOT NULL,
    customer_id text COLLATE "C" NOT NULL,
    object_id text COLLATE "C" NOT NULL,
    published_at timestamptz NOT NULL,
    PRIMARY KEY (project_id, customer_id, object_id, published_at)
  )`;

/** Tables of when something was published for customers, and what. */
export class CustomersKnowPublications1803300000160 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(createPublications);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE customer_publications, customer_published_objects');
  }
}
