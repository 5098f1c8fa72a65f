import { IsCursor, IsDateInput, IsOneOf, IsText, LimitQuery, orderOf } from '@scrip/edge';
import { countOf, type SqlStatement, StatementValues } from '@scrip/list-query';
import { IsOptional } from 'class-validator';
import { type ActivityCategory, type ActivityKind, activityKinds } from './activity-kinds';

const campaignTypes = [
  'DISCOUNT_COUPONS',
  'REFERRAL_PROGRAM',
  'GIFT_VOUCHERS',
  'PROMOTION',
  'LOYALTY_PROGRAM',
] as const;

class ActivityQuery extends LimitQuery {
  @IsOptional()
  @IsOneOf(['created_at', '-created_at'])
  order: 'created_at' | '-created_at' = '-created_at';

  @IsOptional()
  @IsCursor('event')
  starting_after_id?: string;

  @IsOptional() @IsDateInput() start_date?: string;
  @IsOptional() @IsDateInput() end_date?: string;
  @IsOptional() @IsText({ max: 512 }) campaign_id?: string;
  @IsOptional() @IsOneOf(campaignTypes) campaign_type?: (typeof campaignTypes)[number];
}

/** Query of GET …/activity. Source: reference 06 §8. */
export class ActivityListQuery extends ActivityQuery {
  @IsOptional() @IsOneOf(['ACTION', 'EFFECT']) category?: ActivityCategory;
  @IsOptional() @IsOneOf(activityKinds) type?: ActivityKind;
}

/** Query of GET …/activities. Source: reference 06 §8. */
export class ActivitiesListQuery extends ActivityQuery {
  @IsOptional() @IsDateInput() starting_after?: string;
  @IsOptional() @IsText({ max: 512 }) product_id?: string;
}

/** What either query asks for. */
export type AnyActivityQuery = ActivityQuery &
  Partial<Pick<ActivityListQuery, 'category' | 'type'>> &
  Partial<Pick<ActivitiesListQuery, 'starting_after' | 'product_id'>>;

/** Where the event of `starting_after_id` stands. */
export interface ActivityCursor {
  id: string;
  created_at: Date;
}

/** The statements of a page, with one row more than it shows where there is more, and of the bounded count of all that match. */
export const activityListStatements = (
  customer: { projectId: string; id: string },
  query: AnyActivityQuery,
  cursor: ActivityCursor | null,
): { page: SqlStatement; count: SqlStatement } => {
  const { descending } = orderOf(query.order);
  const after = descending ? '<' : '>';
  const conditions = ({ add }: StatementValues): string[] => [
    `project_id = ${add(customer.projectId)}`,
    `customer_id = ${add(customer.id)}`,
    ...(query.start_date === undefined ? [] : [`created_at >= ${add(query.start_date)}::timestamptz`]),
    ...(query.end_date === undefined ? [] : [`created_at <= ${add(query.end_date)}::timestamptz`]),
    ...(query.campaign_id === undefined ? [] : [`campaign_id = ${add(query.campaign_id)}`]),
    ...(query.campaign_type === undefined ? [] : [`campaign_type = ${add(query.campaign_type)}`]),
    ...(query.category === undefined ? [] : [`category = ${add(query.category)}`]),
    ...(query.type === undefined ? [] : [`type = ${add(query.type)}`]),
    ...(query.product_id === undefined ? [] : [`${add(query.product_id)} = ANY(product_ids)`]),
  ];
  const counted = new StatementValues();
  const count = {
    text: countOf(`SELECT 1 FROM customer_activities WHERE ${conditions(counted).join(' AND ')}`),
    values: counted.all,
  };
  const values = new StatementValues();
  const where = conditions(values);
  if (query.starting_after !== undefined)
    where.push(`created_at ${after} ${values.add(query.starting_after)}::timestamptz`);
  if (cursor)
    where.push(
      `(created_at, id) ${after} (${values.add(cursor.created_at)}::timestamptz, ${values.add(cursor.id)})`,
    );
  const direction = descending ? 'DESC' : 'ASC';
  const page = {
    text: `SELECT id, type, created_at, group_id, source, data, sealed FROM customer_activities
      WHERE ${where.join(' AND ')} ORDER BY created_at ${direction}, id ${direction} LIMIT ${query.limit + 1}`,
    values: values.all,
  };
  return { page, count };
};
