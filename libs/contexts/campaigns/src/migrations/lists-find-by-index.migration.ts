import type { MigrationInterface, QueryRunner } from 'typeorm';

// Indexes of vouchers that say themselves what lists filter by. None has a column that a redemption changes.
const ownIndexes = `
  CREATE INDEX vouchers_own ON vouchers (project_id, created_at, id) WHERE filterable IS NOT NULL;
  CREATE INDEX vouchers_own_campaign ON vouchers (project_id, campaign_id, created_at, id)
    WHERE filterable IS NOT NULL;
  CREATE INDEX vouchers_own_start ON vouchers (project_id, start_date) WHERE filterable IS NOT NULL;
  CREATE INDEX vouchers_own_expiration ON vouchers (project_id, expiration_date) WHERE filterable IS NOT NULL;
  CREATE INDEX vouchers_own_fields ON vouchers USING gin (filterable jsonb_path_ops)
    WHERE filterable IS NOT NULL`;

const filterableOf = (voucher: string): string =>
  `jsonb_build_object(${[
    'category',
    'category_id',
    'holder_id',
    'is_referral_code',
    'active',
    'start_date',
    'expiration_date',
    'validity_day_of_week',
    'metadata',
  ]
    .map((field) => `'${field}', ${voucher}->'${field}'`)
    .join(', ')}, 'redemption', jsonb_build_object('quantity', ${voucher}->'redemption'->'quantity'))`;

const campaignIndexes = `
  CREATE INDEX campaigns_updated ON campaigns (project_id, updated_at, id);
  CREATE INDEX campaigns_category ON campaigns (project_id, category, created_at, id);
  CREATE INDEX campaigns_category_id ON campaigns (project_id, category_id, created_at, id);
  CREATE INDEX campaigns_start ON campaigns (project_id, start_date);
  CREATE INDEX campaigns_expiration ON campaigns (project_id, expiration_date);
  CREATE INDEX campaigns_status ON campaigns (project_id, creation_status, created_at, id);
  CREATE INDEX campaigns_metadata ON campaigns USING gin (metadata jsonb_path_ops)`;

/** Lists of campaigns and vouchers find what they filter by through indexes. Source: ADR 63. */
export class ListsFindByIndex1796000000002 implements MigrationInterface {
  readonly name = 'ListsFindByIndex1796000000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE campaigns ADD COLUMN metadata jsonb,
        ADD COLUMN vouchers_generation_status text COLLATE "C";
      UPDATE campaigns SET metadata = state->'campaign'->'metadata',
        vouchers_generation_status = state->'campaign'->>'vouchers_generation_status';
      ${campaignIndexes}`);
    // The page keeps the document as it is as long as it can: a change of the row's state is in place only where every
    // indexed column has the same bytes.
    await runner.query(`
      ALTER TABLE vouchers ADD COLUMN filterable jsonb, ADD COLUMN start_date timestamptz,
        ADD COLUMN expiration_date timestamptz;
      ALTER TABLE vouchers ALTER COLUMN filterable SET STORAGE MAIN;
      UPDATE vouchers t SET filterable = ${filterableOf('w.voucher')},
          start_date = (w.voucher->>'start_date')::timestamptz,
          expiration_date = (w.voucher->>'expiration_date')::timestamptz
        FROM vouchers v
        LEFT JOIN voucher_definitions d ON d.project_id = v.project_id AND d.id = v.definition_id
        CROSS JOIN LATERAL (SELECT coalesce(d.template, '{}') || (v.state->'voucher') AS voucher) w
        WHERE v.state IS NOT NULL AND v.project_id = t.project_id AND v.id = t.id
          AND (d.id IS NULL OR ${filterableOf('d.template')} <> ${filterableOf('w.voucher')})`);
    await runner.query(ownIndexes);
    await runner.query(`
      DROP INDEX vouchers_campaign;
      CREATE INDEX vouchers_definition ON vouchers (project_id, definition_id, created_at, id)
        WHERE definition_id IS NOT NULL;
      CREATE INDEX voucher_definitions_campaign ON voucher_definitions (project_id, (template->>'campaign_id'));
      CREATE INDEX voucher_definitions_fields ON voucher_definitions USING gin (template jsonb_path_ops)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX voucher_definitions_fields, voucher_definitions_campaign, vouchers_definition;
      CREATE INDEX vouchers_campaign ON vouchers (project_id, campaign_id, created_at, id);
      ALTER TABLE vouchers DROP COLUMN filterable, DROP COLUMN start_date, DROP COLUMN expiration_date;
      DROP INDEX campaigns_updated, campaigns_category, campaigns_category_id, campaigns_start, campaigns_expiration,
        campaigns_status;
      ALTER TABLE campaigns DROP COLUMN metadata, DROP COLUMN vouchers_generation_status`);
  }
}
