import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Gives `claims` the columns that all owners of claims share: what a claim keeps is JSON. */
export class ClaimsKeepJson1764000000000 implements MigrationInterface {
  readonly name = 'ClaimsKeepJson1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE claims RENAME COLUMN redeemable_id TO object_id;
      ALTER TABLE claims ADD COLUMN kept jsonb;
      UPDATE claims SET kept = jsonb_build_object('redeemed_quantity', redeemed_quantity)
        WHERE redeemed_quantity IS NOT NULL;
      ALTER TABLE claims DROP COLUMN redeemed_quantity;
      DROP INDEX claims_provisional;
      DROP INDEX claims_provisional_of;
      CREATE INDEX claims_provisional ON claims (project_id, object_id, claim_id) INCLUDE (claimed_at)
        WHERE state = 'PROVISIONAL'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX claims_provisional;
      ALTER TABLE claims RENAME COLUMN object_id TO redeemable_id;
      ALTER TABLE claims ADD COLUMN redeemed_quantity bigint;
      UPDATE claims SET redeemed_quantity = (kept->>'redeemed_quantity')::bigint;
      ALTER TABLE claims DROP COLUMN kept;
      CREATE INDEX claims_provisional ON claims (project_id, redemption_id) INCLUDE (claimed_at)
        WHERE state = 'PROVISIONAL';
      CREATE INDEX claims_provisional_of ON claims (project_id, redeemable_id) WHERE state = 'PROVISIONAL'`);
  }
}
