import { InstantRange, IsAnything, IsCursor, IsFilters, IsText, Nested, pageQuery } from '@scrip/edge';
import type { FilterColumns, Filters } from '@scrip/list-query';
import { IsOptional } from 'class-validator';

/** Columns that filters name, which are the names of the interface too. Source: reference 03 §10. */
export const filterFields = [
  'voucher_code',
  'related_object_id',
  'related_object_parent_id',
  'parent_redemption_id',
  'failure_code',
  'result',
  'object',
  'customer_id',
  'campaign_name',
  'user_login',
] as const;

export const filterOperators = [
  '$in',
  '$not_in',
  '$is',
  '$is_not',
  '$has_value',
  '$is_unknown',
  '$starts_with',
  '$ends_with',
  '$contains',
  '$not_contain',
] as const;

/** The tables that one list shows, and what their entries are. */
export const listedTables = { redemptions: 'redemption', rollbacks: 'redemption_rollback' } as const;

/** What entries are sorted by for an order. Tracking ids of customers are not stored, and tell no order: entries of the same customer
 *  or visitor stand together. */
export const sortedBy = (field: string): string =>
  field === 'tracking_id' ? 'coalesce(t.customer_id, t.tracking_id COLLATE "C")' : `t.${field}`;

/** Results that a list can be narrowed to. */
export const results = ['SUCCESS', 'FAILURE'];

/** The columns of one table. What its entries are is a constant, which tells the planner where nothing matches. */
export const filterColumnsOf = (table: keyof typeof listedTables): FilterColumns => ({
  ...Object.fromEntries(filterFields.map((field) => [field, { kind: 'text', sql: field }] as const)),
  object: { kind: 'text', sql: `'${listedTables[table]}'::text`, oneOf: Object.values(listedTables) },
  result: { kind: 'text', sql: 'result', oneOf: results },
});

/** Query of GET /v1/vouchers/{code}/redemption. Source: reference 03 §10. */
export class VoucherRedemptionsQuery extends pageQuery({
  highestPage: 99,
  orders: ['created_at'],
  order: '-created_at',
}) {}

/** Query of GET /v1/redemptions. Source: reference 03 §10. */
export class ListRedemptionsQuery extends pageQuery({
  highestPage: 99,
  orders: ['created_at', 'id', 'voucher_code', 'tracking_id', 'customer_id'],
  order: '-created_at',
}) {
  /** SUCCESS or FAILURE, once or repeated. */
  @IsOptional()
  @IsAnything({
    type: 'array',
    items: { type: 'string', enum: results },
    'x-single-value': true,
  })
  result?: unknown;

  @IsOptional()
  @IsText()
  campaign?: string;

  @IsOptional()
  @IsText()
  customer?: string;

  @IsOptional()
  @IsCursor('entry')
  starting_after_id?: string;

  @IsOptional()
  @Nested(() => InstantRange)
  created_at?: InstantRange;

  @IsOptional()
  @IsFilters({ fields: filterFields, operators: filterOperators, typeName: 'Redemption' })
  filters?: Filters;
}
