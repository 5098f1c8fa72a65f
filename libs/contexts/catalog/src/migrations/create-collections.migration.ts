import { stateTableColumns } from '@scrip/event-store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const collections = `
  CREATE TABLE product_collections (${stateTableColumns},
    name text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL CHECK (type IN ('STATIC', 'AUTO_UPDATE')),
    deleted boolean NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz
  );
  CREATE UNIQUE INDEX product_collections_name ON product_collections (project_id, name) WHERE NOT deleted`;

// A row for each record that belongs to a collection: there can be as many as the catalogue has. The dates are those of
// the record, as lists go by them.
const items = `
  CREATE TABLE collection_items (
    project_id text COLLATE "C" NOT NULL,
    collection_id text COLLATE "C" NOT NULL,
    object text COLLATE "C" NOT NULL CHECK (object IN ('product', 'sku')),
    id text COLLATE "C" NOT NULL,
    product_id text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz,
    CONSTRAINT collection_items_pkey PRIMARY KEY (project_id, collection_id, object, id)
  );
  CREATE INDEX collection_items_created ON collection_items (project_id, collection_id, created_at, id, object);
  CREATE INDEX collection_items_updated ON collection_items
    (project_id, collection_id, updated_at DESC NULLS LAST, id DESC, object DESC);
  CREATE INDEX collection_items_record ON collection_items (project_id, product_id, id)`;

// How far the records of a collection were tested: those up to the id `after`, products first. No row: all of them.
const walks = `
  CREATE TABLE collection_walks (
    project_id text COLLATE "C" NOT NULL,
    collection_id text COLLATE "C" NOT NULL,
    object text COLLATE "C" NOT NULL CHECK (object IN ('product', 'sku')),
    after text COLLATE "C" NOT NULL,
    PRIMARY KEY (project_id, collection_id)
  )`;

// For the list of all products and SKUs.
const skusOfAllProducts = `
  CREATE INDEX skus_all_created ON skus (project_id, created_at, id) WHERE status = 'LIVE';
  CREATE INDEX skus_all_updated ON skus (project_id, updated_at DESC NULLS LAST, id DESC) WHERE status = 'LIVE'`;

/** Collections of products and SKUs, and what belongs to them. */
export class CreateCollections1800000001000 implements MigrationInterface {
  readonly name = 'CreateCollections1800000001000';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [collections, items, walks, skusOfAllProducts]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX skus_all_created, skus_all_updated');
    await runner.query('DROP TABLE product_collections, collection_items, collection_walks');
  }
}
