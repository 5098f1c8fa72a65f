import { IsDateInput, offsetOf, orderOf, pageQuery } from '@scrip/edge';
import { type ListStatements, pageStatements, StatementValues } from '@scrip/list-query';
import { IsOptional } from 'class-validator';

/** Query of GET /v1/validation-rules. Source: reference 02 §5. */
export class RuleListQuery extends pageQuery({
  highestPage: 100,
  orders: ['created_at', 'updated_at', 'name'],
  order: '-created_at',
}) {
  /** Created then or later. */
  @IsOptional() @IsDateInput() start_date?: string;
  /** Created strictly before it. */
  @IsOptional() @IsDateInput() end_date?: string;
}

/** The statements of a page of rules, and of their bounded count. */
export const ruleListStatements = (projectId: string, query: RuleListQuery): ListStatements => {
  const { add, all } = new StatementValues();
  const { field, descending } = orderOf(query.order);
  const direction = descending ? 'DESC' : 'ASC';
  const where = [
    `r.project_id = ${add(projectId)}`,
    'NOT r.deleted',
    ...(query.start_date === undefined ? [] : [`r.created_at >= ${add(query.start_date)}::timestamptz`]),
    ...(query.end_date === undefined ? [] : [`r.created_at < ${add(query.end_date)}::timestamptz`]),
  ].join(' AND ');
  const nulls = field === 'updated_at' ? ` NULLS ${descending ? 'LAST' : 'FIRST'}` : '';
  return pageStatements(
    {
      columns: 'r.state',
      from: 'validation_rules r',
      orderBy: `r.${field} ${direction}${nulls}, r.id ${direction}`,
      limit: query.limit,
      offset: offsetOf(query),
    },
    where,
    all,
  );
};
