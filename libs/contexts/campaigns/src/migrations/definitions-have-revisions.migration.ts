import { buildIndexConcurrently, inPortions, replaceIndexConcurrently } from '@scrip/service';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Fields that vouchers inherit from their campaign, as a definition lays them out. */
const inherited = `jsonb_build_object(
  'start_date', k.campaign->'start_date', 'expiration_date', k.campaign->'expiration_date',
  'category_id', k.campaign->'category_id', 'category', k.campaign->'category', 'categories', k.campaign->'categories',
  'metadata', CASE WHEN k.campaign->'use_voucher_metadata_schema' = 'false' THEN '{}' ELSE k.campaign->'metadata' END,
  'redemption', jsonb_build_object('quantity', k.campaign->'voucher'->'redemption'->'quantity', 'redeemed_quantity', 0))`;

const keepDefinition = (when: string): string => `
  CREATE TRIGGER vouchers_definition BEFORE UPDATE OF definition_id, definition_revision ON vouchers FOR EACH ROW
    WHEN (${when}) EXECUTE FUNCTION keep_voucher_definition()`;

const isDefined = 'OLD.state IS NOT NULL AND OLD.definition_id IS DISTINCT FROM NEW.definition_id';
const isPinned =
  'OLD.definition_revision IS NOT NULL AND OLD.definition_revision IS DISTINCT FROM NEW.definition_revision';

const columns = `
  ALTER TABLE campaigns ADD COLUMN IF NOT EXISTS revision int NOT NULL DEFAULT 0;
  ALTER TABLE voucher_definitions ADD COLUMN IF NOT EXISTS revision int NOT NULL DEFAULT 1,
    ADD COLUMN IF NOT EXISTS newest boolean NOT NULL DEFAULT true,
    ADD COLUMN IF NOT EXISTS parted boolean NOT NULL DEFAULT false,
    ADD COLUMN IF NOT EXISTS own_fields text[] NOT NULL DEFAULT '{}';
  ALTER TABLE vouchers ADD COLUMN IF NOT EXISTS definition_revision int;
  DROP TRIGGER IF EXISTS vouchers_definition ON vouchers;
  ${keepDefinition(`(${isDefined}) OR (${isPinned})`)}`;

const ownFields = `
  UPDATE voucher_definitions d SET own_fields = ARRAY(
      SELECT i.field FROM jsonb_each(${inherited}) AS i(field, value)
      WHERE d.template->i.field IS DISTINCT FROM i.value ORDER BY i.field)
    FROM portion p, campaigns c CROSS JOIN LATERAL (SELECT c.state->'campaign' AS campaign) k
    WHERE d.project_id = p.project_id AND d.id = p.id AND d.revision = 1
      AND c.project_id = d.project_id AND c.id = d.template->>'campaign_id'`;

/** The key of definitions gets their revisions, by an index that is built before. */
const keyByRevision = async (runner: QueryRunner): Promise<void> => {
  const [{ keys }] = await runner.query(
    `SELECT array_length(conkey, 1) AS keys FROM pg_constraint
     WHERE conrelid = 'voucher_definitions'::regclass AND contype = 'p'`,
  );
  if (keys === 3) return;
  const name = 'voucher_definitions_key_next';
  await buildIndexConcurrently(runner, {
    name,
    on: 'voucher_definitions (project_id, id, revision)',
    unique: true,
  });
  await runner.query(`
    ALTER TABLE voucher_definitions DROP CONSTRAINT voucher_definitions_pkey,
      ADD CONSTRAINT voucher_definitions_pkey PRIMARY KEY USING INDEX ${name}`);
};

const isOfNewest = (definition: string): boolean => definition.endsWith('WHERE newest');

/** A definition is a family of immutable revisions, and a voucher with a state of its own names the one that its state is the
 *  difference to. What there was is the first revision. No campaign could be changed so far: where a definition says
 *  something else than its campaign, a code order said it. Columns get their defaults without a row being written, the rest
 *  goes by portions and beside the writers; interrupted, it is begun anew. Source: ADR 68. */
export class DefinitionsHaveRevisions1801200000001 implements MigrationInterface {
  readonly name = 'DefinitionsHaveRevisions1801200000001';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(columns);
    await keyByRevision(runner);
    const definitions = { table: 'voucher_definitions', key: ['project_id', 'id'] };
    await inPortions(runner, { ...definitions, sql: ownFields, size: 1_000 });
    await buildIndexConcurrently(runner, {
      name: 'voucher_definitions_newest',
      on: 'voucher_definitions (project_id, id) WHERE newest',
      unique: true,
    });
    await replaceIndexConcurrently(runner, {
      name: 'voucher_definitions_campaign',
      on: `voucher_definitions (project_id, (template->>'campaign_id')) WHERE newest`,
      isNew: isOfNewest,
    });
    await replaceIndexConcurrently(runner, {
      name: 'voucher_definitions_fields',
      on: 'voucher_definitions USING gin (template jsonb_path_ops) WHERE newest',
      isNew: isOfNewest,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER vouchers_definition ON vouchers;
      CREATE TRIGGER vouchers_definition BEFORE UPDATE OF definition_id ON vouchers FOR EACH ROW
        WHEN (${isDefined}) EXECUTE FUNCTION keep_voucher_definition();
      ALTER TABLE vouchers DROP COLUMN definition_revision;
      DELETE FROM voucher_definitions WHERE NOT newest;
      DROP INDEX voucher_definitions_fields, voucher_definitions_campaign, voucher_definitions_newest;
      ALTER TABLE voucher_definitions DROP CONSTRAINT voucher_definitions_pkey, ADD PRIMARY KEY (project_id, id),
        DROP COLUMN own_fields, DROP COLUMN parted, DROP COLUMN newest, DROP COLUMN revision;
      CREATE INDEX voucher_definitions_campaign ON voucher_definitions (project_id, (template->>'campaign_id'));
      CREATE INDEX voucher_definitions_fields ON voucher_definitions USING gin (template jsonb_path_ops);
      ALTER TABLE campaigns DROP COLUMN revision`);
  }
}
