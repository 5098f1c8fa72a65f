import type { MigrationInterface, QueryRunner } from 'typeorm';

const stateIs = (states: readonly string[]): string =>
  `CHECK (state IN (${states.map((state) => `'${state}'`).join(', ')}))`;

const ofClaims = ['PROVISIONAL', 'CONFIRMED', 'REFUNDED', 'REVERTED'];

/** A row of `order_claims` may keep the source id of an order that no redemption created. Source: ADR 76. */
export class CallsWriteOrders1800000000700 implements MigrationInterface {
  readonly name = 'CallsWriteOrders1800000000700';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE order_claims DROP CONSTRAINT order_claims_state_check;
      ALTER TABLE order_claims ADD CONSTRAINT order_claims_state_check ${stateIs([...ofClaims, 'NAMING'])}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM order_claims WHERE state = 'NAMING';
      ALTER TABLE order_claims DROP CONSTRAINT order_claims_state_check;
      ALTER TABLE order_claims ADD CONSTRAINT order_claims_state_check ${stateIs(ofClaims)}`);
  }
}
