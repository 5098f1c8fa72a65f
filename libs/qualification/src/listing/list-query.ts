import { type Filters, IsAnything, IsDateInput, IsFilters, IsText, Nested, pageQuery } from '@scrip/edge';
import { IsOptional } from 'class-validator';

/** Columns that filters name, which are the names of the interface too. Source: spec 03 §10. */
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

/** Results that a list can be narrowed to. */
export const results = ['SUCCESS', 'FAILURE'];

class CreatedAt {
  @IsOptional()
  @IsDateInput()
  before?: string;

  @IsOptional()
  @IsDateInput()
  after?: string;
}

/** Query of GET /v1/redemptions. Source: spec 03 §10. */
export class ListRedemptionsQuery extends pageQuery({
  highestPage: 99,
  orders: ['created_at', 'id', 'voucher_code', 'tracking_id', 'customer_id'],
  order: '-created_at',
}) {
  /** SUCCESS or FAILURE, once or repeated. */
  @IsOptional()
  @IsAnything({
    anyOf: [
      { type: 'string', enum: results },
      { type: 'array', items: { type: 'string', enum: results } },
    ],
  })
  result?: unknown;

  @IsOptional()
  @IsText()
  campaign?: string;

  @IsOptional()
  @IsText()
  customer?: string;

  @IsOptional()
  @Nested(() => CreatedAt)
  created_at?: CreatedAt;

  @IsOptional()
  @IsFilters({ fields: filterFields, operators: filterOperators })
  filters?: Filters;
}
