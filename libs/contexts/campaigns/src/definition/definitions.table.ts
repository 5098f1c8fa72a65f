import type { VoucherTemplate } from '@scrip/contracts/campaigns';
import { runQuery } from '@scrip/event-store';
import type { DataSource, EntityManager } from 'typeorm';
import type { MetadataChange } from '../updating/metadata-change';
import { filterableSql } from '../voucher/filterable-fields';

/** What a campaign changes of the definitions of its vouchers: `metadata` key by key, other fields whole. */
export interface DefinitionChange {
  projectId: string;
  campaignId: string;
  fields: Omit<Partial<VoucherTemplate>, 'metadata'>;
  metadata: MetadataChange;
}

// A key of metadata that an order set itself is the field metadata.<key> of its own. Orders of releases that followed metadata
// whole have the field metadata: theirs stay whole.
const ownKeys = `ARRAY(SELECT substr(o, 10) FROM unnest(d.own_fields) o WHERE o LIKE 'metadata.%')`;
const changed = `d.template || ($3::jsonb - d.own_fields) || CASE WHEN 'metadata' = ANY(d.own_fields) THEN '{}' ELSE
    jsonb_build_object('metadata', ((d.template->'metadata') - ARRAY(SELECT k FROM unnest($5::text[]) k WHERE k <> ALL(${ownKeys})))
      || ($4::jsonb - ${ownKeys})) END`;

const revise = `
  WITH changed AS (
    UPDATE voucher_definitions d SET newest = false
    WHERE d.project_id = $1 AND d.template->>'campaign_id' = $2 AND d.newest AND ${changed} <> d.template
    RETURNING d.id, d.revision, d.own_fields, ${changed} AS template
  )
  INSERT INTO voucher_definitions (project_id, id, revision, own_fields, template)
  SELECT $1, c.id, c.revision + 1, c.own_fields, c.template FROM changed c`;

const part = `
  UPDATE voucher_definitions d SET parted = true FROM voucher_definitions n
  WHERE n.project_id = $1 AND n.template->>'campaign_id' = $2 AND n.newest
    AND d.project_id = n.project_id AND d.id = n.id AND d.revision < n.revision AND NOT d.parted
    AND ${filterableSql('d.template')} <> ${filterableSql('n.template')}`;

/** Adds a revision to each definition of a campaign that says otherwise, in the caller's transaction; what a code order set
 *  itself stays. Their number does not depend on how many vouchers there are. The campaign's `revision` must rise in the same
 *  transaction. Source: ADR 68. */
export const reviseDefinitions = async (
  manager: EntityManager,
  { projectId, campaignId, fields, metadata: { set, unset } }: DefinitionChange,
): Promise<void> => {
  const values = [projectId, campaignId, JSON.stringify(fields), JSON.stringify(set), unset];
  await manager.query(revise, values);
  await manager.query(part, [projectId, campaignId]);
};

/** What codes are made from, and which of it they do not take from their campaign. */
export interface Definition {
  template: VoucherTemplate;
  ownFields: readonly string[];
}

/** Returns the definition of the campaign that says exactly this, as it is now, or undefined. Codes that are made from the same share
 *  it, so that a campaign has as many definitions as its codes differ, and not as they were ordered or imported. Which one that is
 *  changes with the campaign: the caller holds its row, or its revision. Source: ADR 68. */
export const sharedDefinition = async (
  on: DataSource | EntityManager,
  projectId: string,
  { template, ownFields }: Definition,
): Promise<string | undefined> => {
  const [row] = await runQuery<{ id: string }>(
    on,
    `SELECT d.id FROM voucher_definitions d
     WHERE d.project_id = $1 AND d.template->>'campaign_id' = $2 AND d.newest
       AND d.own_fields = $3::text[] AND d.template = $4::jsonb
     ORDER BY d.id LIMIT 1`,
    [projectId, template.campaign_id, ownFields, JSON.stringify(template)],
  );
  return row?.id;
};
