import { Body, Controller, Get, HttpCode, Param, Put } from '@nestjs/common';
import { ContextOf, Ctx, Operation, listOf } from '@scrip/edge';
import { type Refusal, type RequestContext, isFromBrowser, isRefused } from '@scrip/kernel';
import { ConsentHandlers } from './consent.handlers';
import { consentsSchema, parseConsents } from './consents-request';

/** What customers consent to, for servers and browsers. Source: reference 07 §3. */
@Controller()
@ContextOf('customers')
export class ConsentHttp {
  constructor(private readonly handlers: ConsentHandlers) {}

  @Get(['v1/consents', 'client/v1/consents'])
  @Operation({
    id: 'listConsents',
    refuses: [],
    summary: 'Lists the consents of a project',
    description: 'Consents are not defined in a project: the list is empty.',
    answers: { 200: { list: 'data', of: 'ConsentResponse', counts: ['total'] } },
  })
  list() {
    return listOf('data', [], { total: 0 });
  }

  @Put(['v1/customers/:customerId/consents', 'client/v1/customers/:customerId/consents'])
  @HttpCode(204)
  @Operation({
    id: 'giveConsents',
    refuses: ['not_found', 'invalid_payload'],
    pathExample: { customerId: 'shop-4711' },
    summary: 'Stores what a customer consents to',
    description:
      'The customer is named by its id or its source id. Consents that are not sent stay as they are. Browsers are answered alike ' +
      'where there is no such customer, and nothing is stored then.',
    body: consentsSchema,
    example: { newsletter: true, phone_calls: false },
    answers: { 204: null },
  })
  async give(
    @Ctx() context: RequestContext,
    @Param('customerId') idOrSourceId: string,
    @Body() body: unknown,
  ): Promise<Refusal<'not_found' | 'invalid_payload'> | undefined> {
    const consents = parseConsents(body);
    if (isRefused(consents)) return consents;
    const refused = await this.handlers.give(context, idOrSourceId, consents);
    // A client-side key is public, and would tell which customers there are.
    return refused === null || isFromBrowser(context) ? undefined : refused;
  }
}
