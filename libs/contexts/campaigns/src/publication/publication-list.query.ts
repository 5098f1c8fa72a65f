import type { VoucherType } from '@scrip/contracts/campaigns';
import { IsCursor, IsFilters, IsFlag, IsOneOf, IsText, offsetOf, orderOf, pageQuery } from '@scrip/edge';
import { isRefused, type ProjectContext } from '@scrip/kernel';
import {
  behindCreated,
  type CreatedCursor,
  type FilterColumns,
  type Filters,
  filterOperators,
  filterSql,
  type ListStatements,
  pageStatements,
  StatementValues,
} from '@scrip/list-query';
import { IsOptional } from 'class-validator';
import { voucherTypes } from '../campaign/campaign.dto';
import type { CampaignsRefusal } from '../campaigns.refusals';

const text = (sql: string) => ({ sql, kind: 'text' as const });

/** What publications `t` are filtered by. */
export const publicationFilters: FilterColumns = {
  failure_code: text('t.failure_code'),
  result: { ...text('t.result'), oneOf: ['SUCCESS', 'FAILURE'] },
  customer_id: text('t.customer_id'),
  campaign_name: text('t.campaign'),
  voucher_type: { ...text('t.voucher_type'), oneOf: voucherTypes },
  is_referral_code: {
    sql: 't.is_referral_code',
    kind: 'flag',
  },
  parent_object_id: text('t.campaign_id'),
  related_object_id: text('t.voucher_id'),
  source_id: text('t.source_id'),
};

const typesNamed = { discount: 'DISCOUNT_VOUCHER', gift: 'GIFT_VOUCHER', loyalty: 'LOYALTY_CARD' } as const;

/** A customer's source id is personal data, which a publication does not keep: its order is that of the customers' ids. */
export const publicationsSortedBy = {
  id: 't.id',
  voucher_code: 't.voucher_code',
  tracking_id: 't.customer_id',
  customer_id: 't.customer_id',
  created_at: 't.created_at',
  channel: 't.channel',
} as const;

/** Query of GET /v1/publications. Source: reference 04 §8.3. */
export class PublicationListQuery extends pageQuery({
  highestPage: 1_000,
  orders: ['id', 'voucher_code', 'tracking_id', 'customer_id', 'created_at', 'channel'],
  order: '-created_at',
}) {
  @IsOptional() @IsText({ max: 512 }) campaign?: string;
  @IsOptional() @IsText({ max: 512 }) customer?: string;
  @IsOptional() @IsText({ max: 512 }) voucher?: string;
  @IsOptional() @IsOneOf(['SUCCESS', 'FAILURE']) result?: 'SUCCESS' | 'FAILURE';
  @IsOptional() @IsOneOf(Object.keys(typesNamed)) voucher_type?: keyof typeof typesNamed;
  @IsOptional() @IsFlag() is_referral_code?: boolean;
  @IsOptional() @IsText({ max: 512 }) source_id?: string;
  @IsOptional() @IsCursor('publication') starting_after_id?: string;
  @IsOptional()
  @IsFilters({ fields: Object.keys(publicationFilters), operators: filterOperators })
  filters?: Filters;
}

/** What a list is about, by id, and where it begins. */
export interface ListedOf {
  customer_id?: string;
  voucher_id?: string;
  /** The publication that the page begins behind. */
  cursor?: CreatedCursor | null;
}

/** The statements of a page and of its bounded count; refuses filters whose values do not fit. */
export const publicationListStatements = (
  project: ProjectContext,
  query: PublicationListQuery,
  { customer_id, voucher_id, cursor = null }: ListedOf,
): ListStatements | CampaignsRefusal => {
  const values = new StatementValues();
  const { add } = values;
  const id = add(project.id);
  const where = [`t.project_id = ${id}`];
  const equal: Record<string, string | boolean | VoucherType | undefined> = {
    customer_id,
    result: query.result,
    voucher_type: query.voucher_type && typesNamed[query.voucher_type],
    is_referral_code: query.is_referral_code,
    source_id: query.source_id,
  };
  for (const [column, value] of Object.entries(equal))
    if (value !== undefined) where.push(`t.${column} = ${add(value)}`);
  if (query.campaign !== undefined) {
    const named = add(query.campaign);
    where.push(`t.campaign_id = (SELECT c.id FROM campaigns c WHERE c.project_id = ${id}
      AND c.deleted_at IS NULL AND (c.id = ${named} OR c.name = ${named}) ORDER BY (c.id = ${named}) DESC LIMIT 1)`);
  }
  if (voucher_id !== undefined) {
    const voucher = add(voucher_id);
    where.push(`t.id IN (SELECT f.id FROM publications f WHERE f.project_id = ${id} AND f.voucher_id = ${voucher}
      UNION SELECT h.publication_id FROM holders h WHERE h.project_id = ${id} AND h.voucher_id = ${voucher})`);
  }
  const filter = query.filters ? filterSql(query.filters, publicationFilters, add) : 'true';
  if (isRefused(filter)) return filter;
  const { field, descending } = orderOf(query.order);
  const direction = descending ? 'DESC' : 'ASC';
  return pageStatements(
    {
      columns: 't.state',
      from: 'publications t',
      orderBy: `${publicationsSortedBy[field]} ${direction}, t.id ${direction}`,
      limit: query.limit,
      offset: offsetOf(query),
    },
    [...where, filter].join(' AND '),
    values.all,
    cursor && behindCreated(cursor, 't', descending),
  );
};
