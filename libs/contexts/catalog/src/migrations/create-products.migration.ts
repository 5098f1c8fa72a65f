import { stateTableColumns } from '@scrip/event-store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

// Names are unique among live products, unless an order's item gave one: then `name_twin` tells the products apart.
// Descending dates of changes: what never changed is older than what did.
const products = `
  CREATE TABLE products (
    ${stateTableColumns},
    status text COLLATE "C" NOT NULL CHECK (status IN ('LIVE', 'BINNED', 'ERASED')),
    source_id text COLLATE "C",
    name text COLLATE "C",
    name_twin text COLLATE "C" NOT NULL,
    created_at timestamptz,
    updated_at timestamptz
  );
  CREATE UNIQUE INDEX products_source_id ON products (project_id, source_id);
  CREATE UNIQUE INDEX products_name ON products (project_id, name, name_twin) WHERE status = 'LIVE';
  CREATE INDEX products_created ON products (project_id, created_at, id) WHERE status = 'LIVE';
  CREATE INDEX products_updated ON products (project_id, updated_at DESC NULLS LAST, id DESC)
    WHERE status = 'LIVE'`;

// The SKUs of a product in the bin keep their own status: they are found through live products only.
const skus = `
  CREATE TABLE skus (
    project_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    product_id text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL CHECK (status IN ('LIVE', 'BINNED')),
    source_id text COLLATE "C",
    sku text COLLATE "C",
    snapshot jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz,
    CONSTRAINT skus_pkey PRIMARY KEY (project_id, id)
  );
  CREATE UNIQUE INDEX skus_source_id ON skus (project_id, source_id);
  CREATE UNIQUE INDEX skus_sku ON skus (project_id, product_id, sku) WHERE status = 'LIVE';
  CREATE INDEX skus_created ON skus (project_id, product_id, created_at, id) WHERE status = 'LIVE';
  CREATE INDEX skus_updated ON skus (project_id, product_id, updated_at DESC NULLS LAST, id DESC)
    WHERE status = 'LIVE'`;

/** The state table of products, and their SKUs beside it. */
export class CreateProducts1797100000000 implements MigrationInterface {
  readonly name = 'CreateProducts1797100000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [products, skus]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE skus, products');
  }
}
