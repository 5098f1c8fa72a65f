import type { TiersWanted } from '@scrip/contracts/promotions';
import { IsFlag, IsInteger, IsPage, LimitQuery, offsetOf, orderOf, pageQuery } from '@scrip/edge';
import { isRefused, type Refusal } from '@scrip/kernel';
import {
  type FilterColumns,
  filterSql,
  type ListStatements,
  pageStatements,
  type SqlStatement,
  StatementValues,
  type TypedMembers,
} from '@scrip/list-query';
import { IsOptional } from 'class-validator';

/** Query of GET /v1/promotions/tiers. Source: reference 04 §10. */
export class TierListQuery extends pageQuery({
  highestPage: 100,
  orders: ['created_at', 'updated_at'],
  order: '-created_at',
}) {
  @IsOptional() @IsFlag() is_available?: boolean;
}

/** Query of GET /v1/promotions/{campaignId}/tiers: by their places. Source: reference 04 §10. */
export class TiersOfCampaignQuery extends LimitQuery {
  @IsOptional() @IsInteger({ min: 1, max: 100 }) override limit = 100;
  @IsOptional() @IsPage(100) page = 1;
}

const columns = `t.state->'tier' AS tier, c.campaign`;
const from = `promotion_tiers t
  JOIN promotion_campaigns c ON c.project_id = t.project_id AND c.id = t.campaign_id`;

/** Who asks for tiers, and when: `now` is the project's business time. */
export interface TierListReader {
  projectId: string;
  now: Date;
  /** Whether only tiers in force are shown. */
  isBrowser: boolean;
}

const ownOrOfCampaign = (field: string): string =>
  `coalesce((t.state->'tier'->>'${field}')::timestamptz, (c.campaign->>'${field}')::timestamptz)`;

const inForce = (at: string): string[] => [
  't.active',
  `(c.campaign->>'active')::boolean`,
  `coalesce(${ownOrOfCampaign('expiration_date')} >= ${at}, true)`,
];

const hasStarted = (at: string): string => `coalesce(${ownOrOfCampaign('start_date')} <= ${at}, true)`;

/** The statements of a page of all tiers of a project, and of its count. */
export const tierListStatements = (
  { projectId, now, isBrowser }: TierListReader,
  query: TierListQuery,
): ListStatements => {
  const { all, add } = new StatementValues();
  const where = [`t.project_id = ${add(projectId)}`, 'NOT t.deleted'];
  if (query.is_available || isBrowser) {
    const at = `${add(now.toISOString())}::timestamptz`;
    where.push(...inForce(at));
    if (isBrowser) where.push(hasStarted(at));
  }
  const { field, descending } = orderOf(query.order);
  const direction = descending ? 'DESC' : 'ASC';
  const nulls = field === 'updated_at' ? ` NULLS ${descending ? 'LAST' : 'FIRST'}` : '';
  return pageStatements(
    {
      columns,
      from,
      orderBy: `t.${field} ${direction}${nulls}, t.id ${direction}`,
      limit: query.limit,
      offset: offsetOf(query),
    },
    where.join(' AND '),
    all,
  );
};

/** The statements of a page of a campaign's tiers, and of their count. */
export const tiersOfCampaignStatements = (
  projectId: string,
  campaignId: string,
  query: TiersOfCampaignQuery,
): ListStatements =>
  pageStatements(
    { columns, from, orderBy: 't.hierarchy, t.id', limit: query.limit, offset: offsetOf(query) },
    't.project_id = $1 AND t.campaign_id = $2 AND NOT t.deleted',
    [projectId, campaignId],
  );

const filterColumns = (schema: TypedMembers): FilterColumns => ({
  promotion_id: { sql: 't.campaign_id', kind: 'text' },
  'metadata.*': { sql: "t.state->'tier'->'metadata'", kind: 'members', schema },
});

/** The statement of the ids of the newest tiers in force. `schema`: of the metadata of tiers. Refuses values that do not fit. */
export const newestTiersStatement = (
  { projectId, now }: Pick<TierListReader, 'projectId' | 'now'>,
  { filters, limit }: TiersWanted,
  schema: TypedMembers,
): SqlStatement | Refusal<'invalid_query_params'> => {
  const { all, add } = new StatementValues();
  const at = `${add(now.toISOString())}::timestamptz`;
  const filter = filterSql(filters, filterColumns(schema), add);
  if (isRefused(filter)) return filter;
  const where = [`t.project_id = ${add(projectId)}`, 'NOT t.deleted', ...inForce(at), hasStarted(at), filter];
  return {
    text: `SELECT t.id FROM ${from} WHERE ${where.join(' AND ')}
      ORDER BY t.created_at DESC, t.id DESC LIMIT ${limit}`,
    values: all,
  };
};
