import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ContextOf, Ctx, Operation, Refusals } from '@scrip/edge';
import { type RequestContext, isRefused } from '@scrip/kernel';
import type { QualificationRefusal } from '../qualification.refusals';
import { qualificationCallRefusals, qualificationRefusals } from '../qualification.refusals';
import { parseQualificationRequest, qualificationRequest } from './qualification-request';
import { QualifyHandlers } from './qualify.handlers';

/** Qualification, from servers and from browsers. Source: reference 02 §8. */
@ContextOf('qualification')
@Refusals(qualificationRefusals)
@Controller()
export class QualificationHttp {
  constructor(private readonly handlers: QualifyHandlers) {}

  @Post(['v1/qualifications', 'client/v1/qualifications'])
  @HttpCode(200)
  @Operation({
    id: 'qualify',
    refuses: qualificationCallRefusals,
    summary: 'Finds what a customer could use for an order, and changes nothing',
    description:
      'Limits and budgets are not evaluated: a validation tells whether one is used up. A change of a campaign, voucher, promotion or rule is seen within a few seconds.',
    body: qualificationRequest.schema,
    example: {
      scenario: 'ALL',
      customer: { source_id: 'ada' },
      order: { items: [{ product_id: 'prod_1', quantity: 2, price: 1_000 }] },
      options: { limit: 10, sorting_rule: 'BEST_DEAL', expand: ['redeemable'] },
    },
    answers: { 200: 'QualificationResponse' },
  })
  qualify(
    @Ctx() context: RequestContext,
    @Body() body: unknown,
  ): Promise<object | QualificationRefusal> | QualificationRefusal {
    const call = parseQualificationRequest(body);
    return isRefused(call) ? call : this.handlers.qualify(context, call);
  }
}
