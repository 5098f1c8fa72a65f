import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ContextOf, Ctx, Ids, listOf, Operation, Refusals } from '@scrip/edge';
import { type IdSource, isRefused, type RequestContext } from '@scrip/kernel';
import { qualificationRefusals } from '../qualification.refusals';
import type { RuleRefusal, RuleState } from './rule.decider';
import { RuleHandlers } from './rule.handlers';
import { RuleListQuery } from './rule-list.query';
import { RuleReads } from './rule.reads';
import { ruleRequest } from './rule-request';
import { renderRule } from '@scrip/wire/qualification';

const linksTo = (pointer: string) => ({
  getValidationRule: { validationRuleId: pointer },
  updateValidationRule: { validationRuleId: pointer },
  deleteValidationRule: { validationRuleId: pointer },
  assignValidationRule: { validationRuleId: pointer },
  listAssignmentsOfRule: { validationRuleId: pointer },
});

const answer = (rule: RuleState | RuleRefusal) => (isRefused(rule) ? rule : renderRule(rule));

/** Validation rules. Source: reference 02 §1, §5. */
@Controller('/v1/validation-rules')
@ContextOf('qualification')
@Refusals(qualificationRefusals)
export class RuleHttp {
  constructor(
    private readonly handlers: RuleHandlers,
    private readonly reads: RuleReads,
  ) {}

  @Post()
  @HttpCode(200)
  @Operation({
    id: 'createValidationRule',
    refuses: ['invalid_payload', 'invalid_validation_rules', 'multiple_requests'],
    links: linksTo('/id'),
    summary: 'Creates a validation rule',
    description:
      'Rules by number, and `logic` that joins them; without logic all must hold. At most 100 rules, nested five levels deep. ' +
      'Segments, products and collections that it names need not exist yet.',
    body: ruleRequest.schema,
    example: {
      name: 'Orders from 50.00',
      rules: { '1': { name: 'order.amount', conditions: { $more_than_or_equal: [5_000] } }, logic: '1' },
      error: { message: 'Spend 50.00 to use this code.' },
    },
    answers: { 200: 'ValidationRuleResponse' },
  })
  async create(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() body: unknown) {
    return answer(await this.handlers.create(context, ids.next('val_', 'validation-rule'), body));
  }

  @Get()
  @Operation({
    id: 'listValidationRules',
    refuses: [],
    links: linksTo('/data/0/id'),
    summary: 'Lists validation rules',
    answers: { 200: { list: 'data', of: 'ValidationRuleResponse', counts: ['total'] } },
  })
  async list(@Ctx() context: RequestContext, @Query() query: RuleListQuery) {
    const { rules, total } = await this.reads.list(context, query);
    return listOf('data', rules.map(renderRule), { total });
  }

  @Get(':validationRuleId')
  @Operation({
    id: 'getValidationRule',
    refuses: ['not_found'],
    summary: 'Shows a validation rule',
    answers: { 200: 'ValidationRuleResponse' },
  })
  async get(@Ctx() context: RequestContext, @Param('validationRuleId') id: string) {
    return answer(await this.reads.find(context, id));
  }

  @Put(':validationRuleId')
  @Operation({
    id: 'updateValidationRule',
    refuses: ['not_found', 'invalid_payload', 'invalid_validation_rules', 'multiple_requests'],
    links: linksTo('/id'),
    summary: 'Changes a validation rule',
    description:
      'A property that is sent replaces what is stored of it whole, the others stay. The next request is decided by it.',
    body: ruleRequest.schema,
    example: { name: 'Orders from 40.00' },
    answers: { 200: 'ValidationRuleResponse' },
  })
  async update(@Ctx() context: RequestContext, @Param('validationRuleId') id: string, @Body() body: unknown) {
    return answer(await this.handlers.update(context, id, body));
  }

  @Delete(':validationRuleId')
  @HttpCode(204)
  @Operation({
    id: 'deleteValidationRule',
    refuses: ['not_found', 'resource_in_use'],
    summary: 'Deletes a validation rule that nothing obeys',
    answers: { 204: null },
  })
  async delete(
    @Ctx() context: RequestContext,
    @Param('validationRuleId') id: string,
  ): Promise<RuleRefusal | undefined> {
    const deleted = await this.handlers.delete(context, id);
    return isRefused(deleted) ? deleted : undefined;
  }
}
