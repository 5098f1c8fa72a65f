import { InstantRange, IsInteger, Nested, offsetOf, orderOf, pageQuery } from '@scrip/edge';
import { type ListStatements, pageStatements, rangeSql, StatementValues } from '@scrip/list-query';
import { IsOptional } from 'class-validator';

/** Query of GET /v1/promotions/stacks. Source: reference 04 §10. */
export class StackListQuery extends pageQuery({
  highestPage: 100,
  orders: ['created_at', 'updated_at', 'name'],
  order: '-created_at',
}) {
  @IsOptional() @Nested(() => InstantRange) created_at?: InstantRange;
  @IsOptional() @Nested(() => InstantRange) updated_at?: InstantRange;
}

/** Query of GET /v1/promotions/{campaignId}/stacks. Source: reference 04 §10. */
export class StacksOfCampaignQuery extends StackListQuery {
  @IsOptional() @IsInteger({ min: 1, max: 100 }) override limit = 100;
}

/** The statements of a page of the stacks of a project, or of one of its campaigns, and of their count. */
export const stackListStatements = (
  { projectId, campaignId }: { projectId: string; campaignId?: string },
  query: StackListQuery,
): ListStatements => {
  const { all, add } = new StatementValues();
  const where = [`t.project_id = ${add(projectId)}`, 'NOT t.deleted'];
  if (campaignId !== undefined) where.push(`t.campaign_id = ${add(campaignId)}`);
  for (const column of ['created_at', 'updated_at'] as const)
    where.push(...rangeSql(`t.${column}`, query[column] ?? {}, add));
  const { field, descending } = orderOf(query.order);
  const direction = descending ? 'DESC' : 'ASC';
  const nulls = field === 'updated_at' ? ` NULLS ${descending ? 'LAST' : 'FIRST'}` : '';
  return pageStatements(
    {
      columns: `t.state->'stack' AS stack`,
      from: 'promotion_stacks t',
      orderBy: `t.${field} ${direction}${nulls}, t.id ${direction}`,
      limit: query.limit,
      offset: offsetOf(query),
    },
    where.join(' AND '),
    all,
  );
};
