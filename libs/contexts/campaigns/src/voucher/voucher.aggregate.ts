import { isDeepStrictEqual } from 'node:util';
import {
  type VoucherEvent,
  type VoucherSnapshot,
  type VoucherTemplate,
  voucherUpcasters,
} from '@scrip/contracts/campaigns';
import type { AggregateDefinition } from '@scrip/event-store';
import { refuse } from '@scrip/kernel';
import { ownFilterableFields } from './filterable-fields';
import { type VoucherState, evolveVoucher, voucherOf } from './voucher.decider';

/** Columns that `voucherFromRow` reads, for queries over `voucherSource`. */
export const voucherColumns = 't.id, t.code, t.code_key, t.created_at, t.state, d.template';

/** Vouchers `t` with what generated ones are made from. */
export const voucherSource = `vouchers t
  LEFT JOIN voucher_definitions d ON d.project_id = t.project_id AND d.id = t.definition_id`;

interface VoucherRow {
  id: string;
  code: string;
  code_key: string;
  created_at: Date;
  /** Of a generated voucher only what its definition does not say; older releases stored all of it. */
  state: { voucher: Partial<VoucherSnapshot>; code_key?: string } | null;
  template: VoucherTemplate | null;
}

const generatedFrom = (row: Record<string, unknown>): VoucherState | undefined => {
  const { id, code, code_key, created_at, template: definition } = row as unknown as VoucherRow;
  if (!definition) return undefined;
  const voucher = voucherOf(definition, { id, code, created_at: created_at.toISOString() });
  return { voucher, code_key, definition };
};

/** A loaded voucher: what its definition says, and over it what its row does. */
export const voucherFromRow = (row: Record<string, unknown>): VoucherState | undefined => {
  const { state } = row as unknown as VoucherRow;
  const generated = generatedFrom(row);
  if (!generated) return (state as VoucherState | null) ?? undefined;
  return state ? { ...generated, voucher: { ...generated.voucher, ...state.voucher } } : generated;
};

/** What a voucher's row stores: of a generated one the fields that its definition says otherwise, or does not know. */
const toRow = ({ voucher, code_key, definition }: VoucherState): object => {
  if (!definition) return { voucher, code_key };
  const { id: _, code: __, created_at: ___, ...fields } = voucher;
  const own = Object.entries(fields).filter(
    ([field, value]) => !isDeepStrictEqual(value, definition[field as keyof VoucherTemplate]),
  );
  return { voucher: Object.fromEntries(own) };
};

/** How vouchers are stored. Codes are unique in a project, as it compares them. */
export const voucherAggregate: AggregateDefinition<VoucherState, VoucherEvent> = {
  aggregate: 'voucher',
  table: 'vouchers',
  evolve: evolveVoucher,
  upcasters: voucherUpcasters,
  columns: {
    code: { type: 'text', of: ({ voucher }) => voucher.code },
    code_key: { type: 'text', of: ({ code_key }) => code_key },
    campaign_id: { type: 'text', of: ({ voucher }) => voucher.campaign_id },
    filterable: { type: 'jsonb', of: ownFilterableFields },
    start_date: { type: 'timestamptz', of: (state) => ownFilterableFields(state)?.start_date },
    expiration_date: { type: 'timestamptz', of: (state) => ownFilterableFields(state)?.expiration_date },
    created_at: { type: 'timestamptz', of: ({ voucher }) => voucher.created_at },
    updated_at: { type: 'timestamptz', of: ({ voucher }) => voucher.updated_at },
  },
  select: { from: voucherSource, columns: voucherColumns },
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
