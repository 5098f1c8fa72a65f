import type { VoucherEvent, VoucherTemplate } from '@scrip/contracts';
import type { AggregateDefinition } from '@scrip/event-store';
import { refuse } from '@scrip/kernel';
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
  state: VoucherState | null;
  template: VoucherTemplate | null;
}

const generatedFrom = (row: Record<string, unknown>): VoucherState | undefined => {
  const { id, code, code_key, created_at, template } = row as unknown as VoucherRow;
  return template
    ? { voucher: voucherOf(template, { id, code, created_at: created_at.toISOString() }), code_key }
    : undefined;
};

/** A loaded voucher: its own state, or what its definition says as long as it has none. */
export const voucherFromRow = (row: Record<string, unknown>): VoucherState | undefined =>
  (row as unknown as VoucherRow).state ?? generatedFrom(row);

/** How vouchers are stored. Codes are unique in a project, as it compares them. */
export const voucherAggregate: AggregateDefinition<VoucherState, VoucherEvent> = {
  aggregate: 'voucher',
  table: 'vouchers',
  evolve: evolveVoucher,
  columns: {
    code: { type: 'text', of: ({ voucher }) => voucher.code },
    code_key: { type: 'text', of: ({ code_key }) => code_key },
    campaign_id: { type: 'text', of: ({ voucher }) => voucher.campaign_id },
    created_at: { type: 'timestamptz', of: ({ voucher }) => voucher.created_at },
    updated_at: { type: 'timestamptz', of: ({ voucher }) => voucher.updated_at },
  },
  select: { from: voucherSource, columns: voucherColumns },
  fromRow: voucherFromRow,
  origin: generatedFrom,
  conflicts: {
    vouchers_code_key: ({ voucher }) => duplicateVoucher(voucher.code),
  },
};

/** A voucher with that code exists. Source: spec 04 §1. */
export const duplicateVoucher = (code: string) =>
  refuse('duplicate_found', `Duplicated voucher exists with id ${code}`, {
    resourceId: code,
    resourceType: 'voucher',
  });
