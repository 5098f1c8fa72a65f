import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import type { RuledObjectType } from '@scrip/contracts/qualification';
import { ContextOf, Ctx, Ids, IsFlag, IsOneOf, IsText, listOf, Operation, Refusals } from '@scrip/edge';
import { type IdSource, isRefused, type RequestContext } from '@scrip/kernel';
import { IsOptional } from 'class-validator';
import { qualificationRefusals } from '../qualification.refusals';
import type { RuleRefusal } from '../rule/rule.decider';
import { AssignmentHandlers } from './assignment.handlers';
import { AssignmentListQuery, AssignmentsOfRuleQuery } from './assignment-list.query';
import { AssignmentReads } from './assignment.reads';
import { renderAssignment } from '@scrip/wire/qualification';
import { RuledObjects, ruledObjectTypes } from './ruled-objects';

/** Body of POST /v1/validation-rules/{validationRuleId}/assignments. */
export class AssignRuleBody {
  @IsOptional() @IsOneOf(ruledObjectTypes) related_object_type?: RuledObjectType | null;
  @IsText({ min: 1, max: 512, description: 'Its id; of a voucher or campaign also the code or name.' })
  related_object_id: string;
}

/** Query of the same. */
export class AssignRuleQuery {
  /** An assignment of the rule to the object gives way to the new one. */
  @IsOptional() @IsFlag() force?: boolean;
}

/** What validation rules are assigned to. Source: reference 02 §5. */
@Controller('/v1')
@ContextOf('qualification')
@Refusals(qualificationRefusals)
export class AssignmentHttp {
  constructor(
    private readonly handlers: AssignmentHandlers,
    private readonly reads: AssignmentReads,
    private readonly objects: RuledObjects,
  ) {}

  @Post('validation-rules/:validationRuleId/assignments')
  @HttpCode(200)
  @Operation({
    id: 'assignValidationRule',
    refuses: ['not_found', 'duplicate_found'],
    links: { unassignValidationRule: { assignmentId: '/id', validationRuleId: '/rule_id' } },
    summary: 'Assigns a validation rule to an object',
    description:
      'A voucher, where the type is not said. Several rules can hold for one object: then all must.',
    example: { related_object_type: 'campaign', related_object_id: 'Spring' },
    answers: { 200: 'RuleAssignmentResponse' },
  })
  async assign(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Param('validationRuleId') rule_id: string,
    @Query() { force = false }: AssignRuleQuery,
    @Body() { related_object_type, related_object_id: named }: AssignRuleBody,
  ) {
    const type = related_object_type ?? 'voucher';
    const object = await this.objects.find(context, type, named);
    if (isRefused(object)) return object;
    const id = ids.next('asgm_', 'assignment');
    const { id: related_object_id, campaign_id } = object;
    const wanted = { id, rule_id, related_object_type: type, related_object_id, campaign_id };
    const assignment = await this.handlers.assign(context, wanted, { force });
    return isRefused(assignment) ? assignment : renderAssignment(assignment);
  }

  @Get('validation-rules/:validationRuleId/assignments')
  @Operation({
    id: 'listAssignmentsOfRule',
    refuses: [],
    links: { unassignValidationRule: { assignmentId: '/data/0/id', validationRuleId: '/data/0/rule_id' } },
    summary: 'Lists what a validation rule is assigned to',
    answers: { 200: { list: 'data', of: 'RuleAssignmentResponse', counts: ['total'] } },
  })
  ofRule(
    @Ctx() context: RequestContext,
    @Param('validationRuleId') rule: string,
    @Query() query: AssignmentsOfRuleQuery,
  ) {
    return this.listed(context, { ...query, rule });
  }

  @Delete('validation-rules/:validationRuleId/assignments/:assignmentId')
  @HttpCode(204)
  @Operation({
    id: 'unassignValidationRule',
    refuses: ['not_found'],
    summary: 'Takes a validation rule off an object',
    answers: { 204: null },
  })
  async unassign(
    @Ctx() context: RequestContext,
    @Param('validationRuleId') ruleId: string,
    @Param('assignmentId') assignmentId: string,
  ): Promise<RuleRefusal | undefined> {
    return (await this.handlers.unassign(context, { ruleId, assignmentId })) ?? undefined;
  }

  @Get('validation-rules-assignments')
  @Operation({
    id: 'listRuleAssignments',
    refuses: [],
    links: { unassignValidationRule: { assignmentId: '/data/0/id', validationRuleId: '/data/0/rule_id' } },
    summary: 'Lists assignments of validation rules',
    answers: { 200: { list: 'data', of: 'RuleAssignmentResponse', counts: ['total'] } },
  })
  all(@Ctx() context: RequestContext, @Query() query: AssignmentListQuery) {
    return this.listed(context, query);
  }

  private async listed(context: RequestContext, query: AssignmentListQuery) {
    const { assignments, total } = await this.reads.list(context, query);
    return listOf('data', assignments.map(renderAssignment), { total });
  }
}
