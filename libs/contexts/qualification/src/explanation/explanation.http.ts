import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ContextOf, Ctx, Operation, Refusals } from '@scrip/edge';
import { type RequestContext, isRefused } from '@scrip/kernel';
import { type QualificationRefusal, qualificationRefusals, requestRefusals } from '../qualification.refusals';
import { ExplainHandlers } from './explain.handlers';
import { explanationExample, explanationRequest, parseExplanationRequest } from './explanation-request';

/** Why redeemables apply or do not, for servers. Source: reference 03 §5.5. */
@ContextOf('qualification')
@Refusals(qualificationRefusals)
@Controller('v1/explanations')
export class ExplanationHttp {
  constructor(private readonly handlers: ExplainHandlers) {}

  @Post()
  @HttpCode(200)
  @Operation({
    id: 'explain',
    refuses: requestRefusals,
    summary: 'Explains what a validation would answer, or why a redemption failed',
    description:
      'Each rule with what it expected and found, each limit with what it had counted, each step of the calculation. `at` evaluates as of another instant.',
    body: explanationRequest.schema,
    example: explanationExample,
    answers: { 200: 'Explanation' },
  })
  explain(
    @Ctx() context: RequestContext,
    @Body() body: unknown,
  ): Promise<object | QualificationRefusal> | QualificationRefusal {
    const asked = parseExplanationRequest(body);
    return isRefused(asked) ? asked : this.handlers.explain(context, asked);
  }
}
