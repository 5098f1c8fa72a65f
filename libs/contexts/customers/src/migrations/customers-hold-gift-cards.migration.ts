import type { MigrationInterface, QueryRunner } from 'typeorm';

// `balance`: minor units.
const createGiftCards = `
  CREATE TABLE customer_gift_cards (
    project_id text COLLATE "C" NOT NULL,
    voucher_id text COLLATE "C" NOT NULL,
    customer_id text COLLATE "C" NOT NULL,
    balance bigint NOT NULL,
    PRIMARY KEY (project_id, voucher_id)
  ) WITH (fillfactor = 80);
  CREATE INDEX customer_gift_cards_held ON customer_gift_cards (project_id, customer_id)`;

/** A table of the gift cards that customers hold. */
export class CustomersHoldGiftCards1802100000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(createGiftCards);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE customer_gift_cards');
  }
}
