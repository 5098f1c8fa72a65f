import { stateTableColumns } from '@scrip/event-store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

// The key row is all that makes a customer readable and findable: deleting it is the erasure. Source: reference 06 §9.3.
const createCustomers = `
  CREATE TABLE customers (${stateTableColumns},
    created_at timestamptz NOT NULL
  );
  CREATE TABLE customer_keys (
    project_id text COLLATE "C" NOT NULL,
    customer_id text COLLATE "C" NOT NULL,
    wrapped_key text NOT NULL,
    source_hash text COLLATE "C",
    PRIMARY KEY (project_id, customer_id),
    CONSTRAINT customer_keys_source_hash UNIQUE (project_id, source_hash)
  )`;

const createOrders = `
  CREATE TABLE orders (${stateTableColumns},
    source_id text COLLATE "C",
    customer_id text COLLATE "C",
    created_at timestamptz NOT NULL,
    CONSTRAINT orders_source_id UNIQUE (project_id, source_id)
  );
  CREATE INDEX orders_customer ON orders (project_id, customer_id, id) WHERE customer_id IS NOT NULL`;

// One redemption at a time holds an order. `source_id` is set on claims of new orders only: of those, one that was not
// reverted keeps the source id for good, so that a claim which starts while another is being confirmed collides too.
const createOrderClaims = `
  CREATE TABLE order_claims (
    redemption_id text COLLATE "C" NOT NULL,
    claim_id text COLLATE "C" NOT NULL,
    project_id text COLLATE "C" NOT NULL,
    order_id text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL CHECK (state IN ('PROVISIONAL', 'CONFIRMED', 'REFUNDED', 'REVERTED')),
    base_version bigint,
    source_id text COLLATE "C",
    draft jsonb,
    context jsonb,
    rollback_id text COLLATE "C",
    claimed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (redemption_id, claim_id)
  );
  CREATE UNIQUE INDEX order_claims_holder ON order_claims (project_id, order_id) WHERE state = 'PROVISIONAL';
  CREATE UNIQUE INDEX order_claims_source ON order_claims (project_id, source_id)
    WHERE source_id IS NOT NULL AND state <> 'REVERTED';
  CREATE INDEX order_claims_open ON order_claims (claimed_at, claim_id) WHERE state = 'PROVISIONAL';
  CREATE INDEX order_claims_reverted ON order_claims (claimed_at) WHERE state = 'REVERTED'`;

/** Tables of customers, their keys, orders and claims on them. */
export class CreateCustomers1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [createCustomers, createOrders, createOrderClaims]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE customers, customer_keys, orders, order_claims');
  }
}
