import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ContextOf, Ctx, Ids, listOf, Operation, Refusals } from '@scrip/edge';
import { type IdSource, isRefused, type RequestContext } from '@scrip/kernel';
import { managementRefusals } from '../auth.refusals';
import { StackingRulesBody } from './stacking-rules.dto';
import { StackingRulesHandlers } from './stacking-rules.handlers';
import { renderStackingRules } from './stacking-rules.wire';

type Found = Awaited<ReturnType<StackingRulesHandlers['get']>>;

const answer = (rules: Found) => (isRefused(rules) ? rules : renderStackingRules(rules));

/** Management of stacking rules. Source: reference 01 §10. */
@Controller('management/v1/projects/:projectId/stacking-rules')
@ContextOf('auth')
@Refusals(managementRefusals)
export class StackingRulesHttp {
  constructor(private readonly rules: StackingRulesHandlers) {}

  @Get()
  @Operation({
    id: 'listStackingRules',
    refuses: [],
    summary: 'Shows the stacking rules of a project',
    description: 'Always one element: the stored ones, or the defaults without an id.',
    answers: { 200: { list: 'data', of: 'StackingRulesResponse', counts: ['total'] } },
  })
  async list(@Ctx() context: RequestContext) {
    const rules = await this.rules.current(context);
    return isRefused(rules) ? rules : listOf('data', [renderStackingRules(rules)], { total: 1 });
  }

  @Post()
  @Operation({
    id: 'createStackingRules',
    refuses: ['invalid_payload', 'stacking_rules_exist'],
    links: {
      getStackingRules: { stackingRulesId: '/id' },
      updateStackingRules: { stackingRulesId: '/id' },
      deleteStackingRules: { stackingRulesId: '/id' },
    },
    summary: 'Replaces the default stacking rules',
    description: 'What is not sent is as in the defaults.',
    example: { redeemables_application_mode: 'PARTIAL' },
    answers: { 200: 'StackingRulesResponse' },
  })
  async create(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() body: StackingRulesBody) {
    return answer(await this.rules.create(context, ids, body));
  }

  @Get(':stackingRulesId')
  @Operation({
    id: 'getStackingRules',
    refuses: [],
    summary: 'Shows stored stacking rules',
    answers: { 200: 'StackingRulesResponse' },
  })
  async get(@Ctx() context: RequestContext, @Param('stackingRulesId') id: string) {
    return answer(await this.rules.get(context, id));
  }

  @Put(':stackingRulesId')
  @Operation({
    id: 'updateStackingRules',
    refuses: ['invalid_payload'],
    summary: 'Changes stored stacking rules',
    description:
      'What is not sent stays; lists are replaced. Every request that starts after the answer uses them.',
    example: { redeemables_application_mode: 'ALL' },
    answers: { 200: 'StackingRulesResponse' },
  })
  async update(
    @Ctx() context: RequestContext,
    @Param('stackingRulesId') id: string,
    @Body() body: StackingRulesBody,
  ) {
    return answer(await this.rules.update(context, id, body));
  }

  @Delete(':stackingRulesId')
  @HttpCode(204)
  @Operation({
    id: 'deleteStackingRules',
    refuses: [],
    summary: 'Has the default stacking rules hold again',
    answers: { 204: null },
  })
  async delete(@Ctx() context: RequestContext, @Param('stackingRulesId') id: string) {
    const deleted = await this.rules.delete(context, id);
    return isRefused(deleted) ? deleted : undefined;
  }
}
