import type { CampaignType, GenerationStatus } from '@scrip/contracts/campaigns';
import { IsCursor, IsFilters, IsFlag, IsOneOf, offsetOf, orderOf, pageQuery } from '@scrip/edge';
import { IsOptional } from 'class-validator';
import { weekdays } from '@scrip/incentives/bodies';
import { isRefused, type ProjectContext } from '@scrip/kernel';
import {
  anyCalendar,
  type AddValue,
  behindCreated,
  calendarAt,
  type CreatedCursor,
  type FilterColumns,
  type Filters,
  filterOperators,
  filterSql,
  type ListStatements,
  pageStatements,
  StatementValues,
  type TypedMembers,
} from '@scrip/list-query';
import type { MetadataTypes } from '@scrip/metadata-schemas';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { categoryColumns } from '../categories/category-filters';
import { voucherTypes } from './campaign.dto';

const statuses = [
  'DRAFT',
  'IN_PROGRESS',
  'DONE',
  'FAILED',
  'MODIFYING',
] as const satisfies GenerationStatus[];

const text = (sql: string) => ({ sql, kind: 'text' as const });

const generation = 'c.vouchers_generation_status';
const underWay = "IN ('IN_PROGRESS', 'MODIFYING')";
const at = (now: Date, add: AddValue): string => `${add(now.toISOString())}::timestamptz`;

/** `now`: the project's business time; `project`: the placeholder of its id. */
const columnsAt = (now: Date, project: string, schema: TypedMembers): FilterColumns => {
  const expired = (add: AddValue) => `c.expiration_date < ${at(now, add)}`;
  const instant = (sql: string) => ({ sql, kind: 'instant' as const, calendar: schema.calendar });
  const beforeStart = (add: AddValue) => `c.start_date > ${at(now, add)}`;
  return {
    campaigns: text('c.name'),
    campaigns_id: text('c.id'),
    ...categoryColumns('c.category_id', project),
    campaign_status: { ...text('c.creation_status'), oneOf: statuses },
    voucher_type: { ...text('c.voucher_type'), oneOf: voucherTypes },
    status: {
      kind: 'states',
      states: {
        $active: `(c.creation_status = 'DONE' AND ${generation} = 'DONE')`,
        $failed: `(c.creation_status = 'FAILED' OR ${generation} = 'FAILED')`,
        $in_progress: `(c.creation_status ${underWay} OR ${generation} ${underWay})`,
        $expired: expired,
        $before_start: beforeStart,
        before_start: beforeStart,
      },
    },
    active: {
      kind: 'states',
      states: {
        $enabled: 'c.active',
        $disabled: 'NOT c.active',
        $expired: expired,
        $active: (add) =>
          `(coalesce(c.start_date <= ${at(now, add)}, true) AND coalesce(c.expiration_date >= ${at(now, add)}, true))`,
      },
    },
    is_referral_code: { sql: 'c.is_referral_code', kind: 'flag' },
    type: {
      ...text('c.type'),
      oneOf: ['AUTO_UPDATE', 'STATIC', 'STANDALONE', 'BULK'],
      valuesOf: (value) => (value === 'BULK' ? ['STATIC', 'AUTO_UPDATE'] : [value]),
    },
    start_date: instant('c.start_date'),
    expiration_date: instant('c.expiration_date'),
    created_date: instant('c.created_at'),
    updated_at: instant('c.updated_at'),
    // When the first window begins.
    validity_timeframe: {
      ...instant('c.start_date'),
      given: `c.state->'campaign'->'validity_timeframe' <> 'null'`,
    },
    // Campaigns without weekdays are open all week.
    validity_day_of_week: {
      kind: 'json',
      sql: "c.state->'campaign'->'validity_day_of_week'",
      oneOf: weekdays.map(String),
      absentMatches: true,
    },
    'metadata.*': {
      kind: 'members',
      sql: 'c.metadata',
      indexed: { document: 'c.metadata', path: [] },
      schema,
    },
  };
};

const onAnyDay = { typeOf: () => undefined, calendar: anyCalendar };
const fields = Object.keys(columnsAt(new Date(0), '$1', onAnyDay));

/** Query of GET /v1/campaigns. Source: reference 04 §4.2. */
export class CampaignListQuery extends pageQuery({
  highestPage: 100,
  orders: ['created_at', 'updated_at'],
  order: '-created_at',
}) {
  @IsOptional()
  @IsOneOf(['DISCOUNT_COUPONS', 'GIFT_VOUCHERS', 'LOYALTY_PROGRAM', 'REFERRAL_PROGRAM', 'PROMOTION'])
  campaign_type?: CampaignType;
  @IsOptional()
  @IsOneOf(statuses)
  campaign_status?: GenerationStatus;
  @IsOptional() @IsFlag() is_referral_code?: boolean;
  @IsOptional() @IsCursor('campaign') starting_after_id?: string;
  @IsOptional() @IsOneOf(['category', 'access_settings_assignments']) expand?: string;
  @IsOptional()
  @IsFilters({ fields, operators: filterOperators, bare: ['active'] })
  filters?: Filters;
}

/** What a list reads with. */
export interface ListedWith {
  /** SQL that counts the codes added singly to `c`. */
  singleCodes: string;
  /** The project's business time. */
  now: Date;
  typeOf: MetadataTypes;
  /** The campaign that the page begins behind. */
  cursor?: CreatedCursor | null;
}

/** The statements of a page and of its bounded count; refuses filters whose values do not fit. */
export const listStatement = (
  project: ProjectContext,
  query: CampaignListQuery,
  { singleCodes, now, typeOf, cursor = null }: ListedWith,
): ListStatements | CampaignsRefusal => {
  const values = new StatementValues();
  const { add } = values;
  const schema = { typeOf, calendar: calendarAt(project, now) };
  const projectId = add(project.id);
  const where = [`c.project_id = ${projectId}`, 'c.deleted_at IS NULL'];
  if (query.campaign_type) where.push(`c.campaign_type = ${add(query.campaign_type)}`);
  if (query.campaign_status) where.push(`c.creation_status = ${add(query.campaign_status)}`);
  if (query.is_referral_code !== undefined) where.push(`c.is_referral_code = ${add(query.is_referral_code)}`);
  const filter = query.filters ? filterSql(query.filters, columnsAt(now, projectId, schema), add) : 'true';
  if (isRefused(filter)) return filter;
  const { field, descending } = orderOf(query.order);
  const direction = descending ? 'DESC' : 'ASC';
  const nulls = field === 'updated_at' ? ' NULLS LAST' : '';
  return pageStatements(
    {
      columns: `c.state, ${singleCodes} AS single_codes`,
      from: 'campaigns c',
      orderBy: `c.${field} ${direction}${nulls}, c.id ${direction}`,
      limit: query.limit,
      offset: offsetOf(query),
    },
    [...where, filter].join(' AND '),
    values.all,
    cursor && behindCreated(cursor, 'c', descending),
  );
};
