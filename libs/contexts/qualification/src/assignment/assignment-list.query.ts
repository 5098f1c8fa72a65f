import { IsText, offsetOf, orderOf, pageQuery } from '@scrip/edge';
import { type ListStatements, pageStatements, StatementValues } from '@scrip/list-query';
import { IsOptional } from 'class-validator';

/** Query of GET /v1/validation-rules/{validationRuleId}/assignments. Source: reference 02 §5. */
export class AssignmentsOfRuleQuery extends pageQuery({
  highestPage: 100,
  orders: ['created_at'],
  order: '-created_at',
}) {}

/** Query of GET /v1/validation-rules-assignments. */
export class AssignmentListQuery extends AssignmentsOfRuleQuery {
  @IsOptional() @IsText({ max: 512 }) related_object_id?: string;
  /** Id of a rule. */
  @IsOptional() @IsText({ max: 512 }) rule?: string;
}

/** Columns of an assignment. */
export const assignmentColumns = 'a.id, a.rule_id, a.related_object_type, a.related_object_id, a.created_at';

/** The statements of a page of assignments, and of their bounded count. */
export const assignmentListStatements = (projectId: string, query: AssignmentListQuery): ListStatements => {
  const { add, all } = new StatementValues();
  const direction = orderOf(query.order).descending ? 'DESC' : 'ASC';
  const where = [
    `a.project_id = ${add(projectId)}`,
    ...(query.rule === undefined ? [] : [`a.rule_id = ${add(query.rule)}`]),
    ...(query.related_object_id === undefined
      ? []
      : [`a.related_object_id = ${add(query.related_object_id)}`]),
  ].join(' AND ');
  return pageStatements(
    {
      columns: assignmentColumns,
      from: 'rule_assignments a',
      orderBy: `a.created_at ${direction}, a.id ${direction}`,
      limit: query.limit,
      offset: offsetOf(query),
    },
    where,
    all,
  );
};
