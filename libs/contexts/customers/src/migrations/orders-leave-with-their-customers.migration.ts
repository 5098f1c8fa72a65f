import { buildIndexConcurrently } from '@scrip/service';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reads of orders look for deleted customers in an index of them, which is built beside the writers. Source: ADR 139. */
export class OrdersLeaveWithTheirCustomers1803200000160 implements MigrationInterface {
  readonly name = 'OrdersLeaveWithTheirCustomers1803200000160';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndexConcurrently(runner, {
      name: 'customers_deleted',
      on: 'customers (project_id, id) WHERE deleted_at IS NOT NULL',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX customers_deleted');
  }
}
