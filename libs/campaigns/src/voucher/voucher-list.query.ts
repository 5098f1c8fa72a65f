import {
  type Filters,
  IsDateInput,
  IsFilters,
  IsText,
  IsTextList,
  Nested,
  offsetOf,
  orderOf,
  pageQuery,
} from '@scrip/edge';
import { IsOptional } from 'class-validator';
import { type ProjectContext, type Refusal, isRefused } from '@scrip/kernel';
import { foldCode, maxCodeLength } from '../generation/code-config';
import {
  type FilterColumn,
  filterOperators,
  filterSql,
  pageStatements,
  type SqlStatement,
} from '../lists/filter-sql';
import { voucherColumns, voucherSource } from './voucher.aggregate';

class InstantRange {
  @IsOptional() @IsDateInput() before?: string;
  @IsOptional() @IsDateInput() after?: string;
}

/** A voucher's own state, or what its definition says as long as it has none; never a mixture of both. */
const voucher = "coalesce(t.state->'voucher', d.template)";
const startDate = `(${voucher}->>'start_date')::timestamptz`;
const expirationDate = `(${voucher}->>'expiration_date')::timestamptz`;
const isEnabled = `(${voucher}->>'active')::boolean`;
const uses = (field: string): FilterColumn => ({
  sql: `(${voucher}->'redemption'->>'${field}')::numeric`,
  kind: 'number',
});

const columns: Record<string, FilterColumn> = {
  code: { sql: 't.code', kind: 'text' },
  vouchers: { sql: 't.id', kind: 'text' },
  campaign_ids: { sql: 't.campaign_id', kind: 'text' },
  created_at: { sql: 't.created_at', kind: 'instant' },
  created_date: { sql: 't.created_at', kind: 'instant' },
  updated_at: { sql: 't.updated_at', kind: 'instant' },
  categories: { sql: `${voucher}->>'category'`, kind: 'text' },
  category_ids: { sql: `${voucher}->>'category_id'`, kind: 'text' },
  holder_id: { sql: `${voucher}->>'holder_id'`, kind: 'text' },
  is_referral_code: {
    sql: `${voucher}->>'is_referral_code'`,
    kind: 'text',
    valuesOf: (value) => [value.toLowerCase()],
  },
  active: {
    kind: 'states',
    states: {
      $enabled: isEnabled,
      $disabled: `NOT ${isEnabled}`,
      $expired: `${expirationDate} < now()`,
      $active: `(coalesce(${startDate} <= now(), true) AND coalesce(${expirationDate} >= now(), true))`,
    },
  },
  start_date: { sql: startDate, kind: 'instant' },
  expiration_date: { sql: expirationDate, kind: 'instant' },
  // Vouchers without weekdays are open all week.
  validity_day_of_week: { sql: `${voucher}->'validity_day_of_week'`, kind: 'json', absentMatches: true },
  'redemption.quantity': uses('quantity'),
  'redemption.redeemed_quantity': uses('redeemed_quantity'),
  'metadata.*': { kind: 'members', sql: `(${voucher}->'metadata')` },
};

/** Query of GET /v1/vouchers. Source: spec 04 §5. */
export class VoucherListQuery extends pageQuery({
  highestPage: 99,
  orders: ['created_at', 'updated_at', 'code'],
  order: '-created_at',
}) {
  @IsOptional() @IsText({ max: 512 }) category?: string;
  @IsOptional() @IsText({ max: 512 }) campaign_id?: string;
  @IsOptional() @IsText({ max: 512 }) campaign?: string;
  @IsOptional() @IsText({ max: 512 }) customer?: string;
  @IsOptional() @IsText({ max: maxCodeLength }) code?: string;
  @IsOptional() @IsTextList({ max: 100, maxLength: 512 }) ids?: string[];
  @IsOptional() @Nested(() => InstantRange) created_at?: InstantRange;
  @IsOptional() @Nested(() => InstantRange) updated_at?: InstantRange;
  @IsOptional()
  @IsFilters({ fields: Object.keys(columns), operators: filterOperators, bare: ['active'] })
  filters?: Filters;
}

const sortedBy = { created_at: 't.created_at', updated_at: 't.updated_at', code: 't.code_key' } as const;

/** The statements of a page and of its count; refuses filters whose values do not fit. */
export const voucherListStatements = (
  project: ProjectContext,
  query: VoucherListQuery,
): { page: SqlStatement; count: SqlStatement } | Refusal => {
  const values: unknown[] = [];
  const add = (value: unknown): string => `$${values.push(value)}`;
  const projectId = add(project.id);
  const where = [`t.project_id = ${projectId}`];
  if (query.campaign_id) where.push(`t.campaign_id = ${add(query.campaign_id)}`);
  if (query.campaign) {
    const named = `SELECT c.id FROM campaigns c WHERE c.project_id = ${projectId} AND c.name = ${add(query.campaign)}`;
    where.push(`t.campaign_id = (${named})`);
  }
  if (query.code) where.push(`t.code_key = ${add(foldCode(query.code, project.caseSensitiveCodes))}`);
  if (query.ids) where.push(`t.id = ANY(${add(query.ids)})`);
  if (query.category) where.push(`${voucher}->>'category' = ${add(query.category)}`);
  if (query.customer) where.push(`t.state->'voucher'->>'holder_id' = ${add(query.customer)}`);
  for (const column of ['created_at', 'updated_at'] as const) {
    const { after, before } = query[column] ?? {};
    if (after) where.push(`t.${column} > ${add(after)}::timestamptz`);
    if (before) where.push(`t.${column} < ${add(before)}::timestamptz`);
  }
  const filter = query.filters ? filterSql(query.filters, columns, add) : 'true';
  if (isRefused(filter)) return filter;
  const { field, descending } = orderOf(query.order);
  const direction = descending ? 'DESC' : 'ASC';
  const nulls = field === 'updated_at' ? ' NULLS LAST' : '';
  return pageStatements(
    {
      columns: voucherColumns,
      from: voucherSource,
      orderBy: `${sortedBy[field]} ${direction}${nulls}, t.id ${direction}`,
      limit: query.limit,
      offset: offsetOf(query),
    },
    [...where, filter].join(' AND '),
    values,
  );
};
