import { isDeepStrictEqual } from 'node:util';
import {
  type VoucherEvent,
  type VoucherHolds,
  type VoucherSnapshot,
  type VoucherTemplate,
  voucherUpcasters,
} from '@scrip/contracts/campaigns';
import type { AggregateDefinition } from '@scrip/event-store';
import { refuse } from '@scrip/kernel';
import { ownFilterableFields } from './filterable-fields';
import { type CampaignOfVoucher, evolveVoucher, voucherOf, type VoucherState } from './voucher.decider';

/** Stands for the newest revision of a definition, whichever it is. */
const newestRevision = 2_147_483_647;

/** Columns that `voucherFromRow` reads, for queries over `voucherSource`. */
export const voucherColumns =
  't.id, t.code, t.code_key, t.created_at, t.deleted_at, t.state, d.template, d.revision AS definition_revision, d.parted, d.own_fields';

/** The revision that vouchers `t` are made from: the one that their row names, else the newest. */
export const definitionJoin = `LEFT JOIN LATERAL (
    SELECT r.revision, r.template, r.parted, r.own_fields FROM voucher_definitions r
    WHERE r.project_id = t.project_id AND r.id = t.definition_id
      AND r.revision <= coalesce(t.definition_revision, ${newestRevision})
    ORDER BY r.revision DESC LIMIT 1
  ) d ON true`;

/** Vouchers `t` with what generated ones are made from. */
export const voucherSource = `vouchers t ${definitionJoin}`;

/** The campaigns `c` of vouchers `t`, and what of them decides about uses. */
export const campaignJoin = 'LEFT JOIN campaigns c ON c.project_id = t.project_id AND c.id = t.campaign_id';
export const campaignColumn = `CASE WHEN c.id IS NOT NULL THEN jsonb_build_object('active', c.active, ${[
  'start_date',
  'expiration_date',
  'activity_duration_after_publishing',
]
  .map((field) => `'${field}', c.state->'campaign'->'${field}'`)
  .join(', ')}, 'deleted', c.deleted_at IS NOT NULL) END AS campaign_of_voucher`;

/** Changes whenever the campaign of a voucher `t` changes what decides about its use, or what it is made from; null for a
 *  standalone voucher. Source: ADR 75. */
export const voucherBasis = `(SELECT c.epoch || '.' || c.revision FROM campaigns c
  WHERE c.project_id = t.project_id AND c.id = t.campaign_id)`;

interface VoucherRow {
  id: string;
  code: string;
  code_key: string | null;
  created_at: Date;
  deleted_at: Date | null;
  /** Of a generated voucher only what its definition does not say; older releases stored all of it. */
  state: { voucher: Partial<VoucherSnapshot>; code_key?: string; holds?: VoucherHolds } | null;
  template: VoucherTemplate | null;
  definition_revision: number | null;
  parted: boolean | null;
  own_fields: string[] | null;
  /** Absent from queries that do not ask for it. */
  campaign_of_voucher?: CampaignOfVoucher | null;
}

const generatedFrom = (row: Record<string, unknown>): VoucherState | undefined => {
  const { id, code, code_key, created_at, deleted_at, template, ...of } = row as unknown as VoucherRow;
  if (!template || of.definition_revision === null) return undefined;
  const voucher = voucherOf(template, { id, code, created_at: created_at.toISOString() });
  const definition = {
    revision: of.definition_revision,
    template,
    parted: of.parted === true,
    ownFields: of.own_fields ?? [],
  };
  const binned = deleted_at && { deleted_at: deleted_at.toISOString() };
  return { voucher, code_key, definition, ...binned };
};

/** A loaded voucher: what its definition says, and over it what its row does. */
export const voucherFromRow = (row: Record<string, unknown>): VoucherState | undefined => {
  const { state, campaign_of_voucher: campaign } = row as unknown as VoucherRow;
  const generated = generatedFrom(row);
  const own = state as VoucherState | null;
  const voucher =
    generated && state
      ? {
          ...generated,
          ...(state.holds && { holds: state.holds }),
          voucher: { ...generated.voucher, ...state.voucher },
        }
      : (generated ?? own);
  if (!voucher) return undefined;
  return campaign === undefined ? voucher : { ...voucher, campaign };
};

/** What a voucher's row stores: of a generated one the fields that its definition says otherwise, or does not know. */
const toRow = ({ voucher, code_key, deleted_at, definition, holds }: VoucherState): object => {
  const held = holds && { holds };
  if (!definition) return { voucher, code_key, ...(deleted_at !== undefined && { deleted_at }), ...held };
  const { id: _, code: __, created_at: ___, ...fields } = voucher;
  const own = Object.entries(fields).filter(
    ([field, value]) => !isDeepStrictEqual(value, definition.template[field as keyof VoucherTemplate]),
  );
  return { voucher: Object.fromEntries(own), ...held };
};

const isPublishable = ({ voucher, deleted_at }: VoucherState): boolean =>
  voucher.active && voucher.publish.count === 0 && deleted_at === undefined;

/** How vouchers are stored. Codes are unique in a project, as it compares them. With its first event a generated voucher names
 *  the revision that it was folded on, and keeps it. Source: ADR 43, ADR 68. */
export const voucherAggregate: AggregateDefinition<VoucherState, VoucherEvent> = {
  aggregate: 'voucher',
  table: 'vouchers',
  evolve: evolveVoucher,
  upcasters: voucherUpcasters,
  columns: {
    code: { type: 'text', of: ({ voucher }) => voucher.code },
    code_key: { type: 'text', of: ({ code_key }) => code_key },
    campaign_id: { type: 'text', of: ({ voucher }) => voucher.campaign_id },
    publishable: { type: 'boolean', of: isPublishable },
    filterable: { type: 'jsonb', of: ownFilterableFields },
    start_date: { type: 'timestamptz', of: (state) => ownFilterableFields(state)?.start_date },
    expiration_date: { type: 'timestamptz', of: (state) => ownFilterableFields(state)?.expiration_date },
    definition_revision: { type: 'int', of: ({ definition }) => definition?.revision ?? null },
    created_at: { type: 'timestamptz', of: ({ voucher }) => voucher.created_at },
    updated_at: { type: 'timestamptz', of: ({ voucher }) => voucher.updated_at },
    deleted_at: { type: 'timestamptz', of: ({ deleted_at }) => deleted_at },
  },
  select: { from: `${voucherSource} ${campaignJoin}`, columns: `${voucherColumns}, ${campaignColumn}` },
  basis: voucherBasis,
  fromRow: voucherFromRow,
  toRow,
  origin: generatedFrom,
  conflicts: {
    vouchers_code_key: ({ voucher }) => duplicateVoucher(voucher.code),
  },
};

/** A voucher with that code exists. Source: reference 04 §1. */
export const duplicateVoucher = (code: string) =>
  refuse('duplicate_found', `Duplicated voucher exists with id ${code}`, {
    resourceId: code,
    resourceType: 'voucher',
  });
