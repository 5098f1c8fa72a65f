import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Gives `order_claims` the columns that all owners of claims share. */
export class OrderClaimsShareColumns1764000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE order_claims RENAME COLUMN order_id TO object_id;
      ALTER TABLE order_claims RENAME COLUMN draft TO kept;
      ALTER TABLE order_claims DROP CONSTRAINT order_claims_pkey;
      ALTER TABLE order_claims ADD CONSTRAINT order_claims_pkey PRIMARY KEY (project_id, object_id, claim_id);
      DROP INDEX order_claims_open`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX order_claims_open ON order_claims (claimed_at, claim_id) WHERE state = 'PROVISIONAL';
      ALTER TABLE order_claims DROP CONSTRAINT order_claims_pkey;
      ALTER TABLE order_claims ADD CONSTRAINT order_claims_pkey PRIMARY KEY (redemption_id, claim_id);
      ALTER TABLE order_claims RENAME COLUMN kept TO draft;
      ALTER TABLE order_claims RENAME COLUMN object_id TO order_id`);
  }
}
