import { buildIndexConcurrently, inPortions } from '@scrip/service';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const fields = [
  'category',
  'category_id',
  'holder_id',
  'is_referral_code',
  'active',
  'start_date',
  'expiration_date',
  'validity_timeframe',
  'validity_day_of_week',
  'metadata',
];

const filterable = `jsonb_build_object(${fields.map((field) => `'${field}', w.voucher->'${field}'`).join(', ')},
  'redemption', jsonb_build_object('quantity', w.voucher->'redemption'->'quantity'))`;

const timeframeOf = (document: string): string => `coalesce(${document}->'validity_timeframe', 'null')`;

/** Campaigns and vouchers are found by the beginning of their first window. Vouchers whose windows are others than their definition
 *  says have them among what they are filtered by. The indexes are built beside the writers. */
export class WindowsAreListed1802300000014 implements MigrationInterface {
  readonly name = 'WindowsAreListed1802300000014';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await inPortions(runner, {
      table: 'vouchers',
      key: ['project_id', 'id'],
      sql: `UPDATE vouchers t SET filterable = ${filterable}, start_date = (w.voucher->>'start_date')::timestamptz,
              expiration_date = (w.voucher->>'expiration_date')::timestamptz
            FROM portion u
            JOIN vouchers v ON v.project_id = u.project_id AND v.id = u.id AND v.state IS NOT NULL
            LEFT JOIN voucher_definitions n ON n.project_id = v.project_id AND n.id = v.definition_id AND n.newest
            LEFT JOIN voucher_definitions r ON r.project_id = v.project_id AND r.id = v.definition_id
              AND r.revision = v.definition_revision
            CROSS JOIN LATERAL (SELECT coalesce(r.template, n.template, '{}') || (v.state->'voucher') AS voucher) w
            WHERE t.project_id = v.project_id AND t.id = v.id
              AND ${timeframeOf('w.voucher')} <> ${timeframeOf('coalesce(v.filterable, n.template)')}`,
    });
    await buildIndexConcurrently(runner, {
      name: 'vouchers_own_window',
      on: `vouchers (project_id, start_date)
        WHERE filterable IS NOT NULL AND deleted_at IS NULL AND filterable->'validity_timeframe' <> 'null'`,
    });
    await buildIndexConcurrently(runner, {
      name: 'campaigns_window',
      on: `campaigns (project_id, start_date) WHERE state->'campaign'->'validity_timeframe' <> 'null'`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX campaigns_window, vouchers_own_window');
  }
}
