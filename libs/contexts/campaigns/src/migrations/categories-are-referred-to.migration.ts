import { buildIndexConcurrently } from '@scrip/service';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Campaigns and vouchers are found by the ids of categories alone. The indexes are built beside the writers. Source: ADR 122. */
export class CategoriesAreReferredTo1801500000008 implements MigrationInterface {
  readonly name = 'CategoriesAreReferredTo1801500000008';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndexConcurrently(runner, {
      name: 'voucher_definitions_category',
      on: `voucher_definitions (project_id, ((template->>'category_id') COLLATE "C"))`,
    });
    await buildIndexConcurrently(runner, {
      name: 'vouchers_own_category',
      on: `vouchers (project_id, ((filterable->>'category_id') COLLATE "C"), created_at, id)
        WHERE filterable IS NOT NULL AND deleted_at IS NULL`,
    });
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS campaigns_category');
  }

  async down(runner: QueryRunner): Promise<void> {
    await buildIndexConcurrently(runner, {
      name: 'campaigns_category',
      on: 'campaigns (project_id, category, created_at, id)',
    });
    await runner.query('DROP INDEX vouchers_own_category, voucher_definitions_category');
  }
}
