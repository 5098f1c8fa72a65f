import { Body, Controller, HttpCode, Post, Query } from '@nestjs/common';
import { ContextOf, Ctx, Operation, Refusals } from '@scrip/edge';
import { isRefused, type RequestContext } from '@scrip/kernel';
import { namedShape, parsePayload } from '@scrip/wire/requests';
import {
  legacyQualificationRefusals,
  type QualificationRefusal,
  qualificationRefusals,
} from '../qualification.refusals';
import { redeemablesProperties } from '../request/redeemables-request';
import { LegacyQualification } from './legacy-qualification';
import { CampaignsQualificationQuery, VouchersQualificationQuery } from './legacy-qualification.query';

const { customer, order, metadata } = redeemablesProperties;

/** Body of the calls that qualify one kind of object. Source: reference 02 §9. */
const qualifyingRequest = namedShape('QualifyingRequest', { customer, order, metadata });

const example = {
  customer: { source_id: 'ada' },
  order: { items: [{ product_id: 'prod_1', quantity: 2, price: 1_000 }] },
};

/** Calls that find one kind of object that a customer could use. Source: reference 02 §9. */
@ContextOf('qualification')
@Refusals(qualificationRefusals)
@Controller('v1')
export class LegacyQualificationHttp {
  constructor(private readonly qualification: LegacyQualification) {}

  @Post('campaigns/qualification')
  @HttpCode(200)
  @Operation({
    id: 'qualifyCampaigns',
    refuses: legacyQualificationRefusals,
    summary: 'Finds campaigns whose codes a customer could use for an order, and changes nothing',
    description:
      'Each campaign is judged as a code of it that could be published, limits and budgets included. Among the newest 1,000 that ' +
      'their rules admit; a change of a campaign or rule is seen within a few seconds.',
    body: qualifyingRequest.schema,
    example,
    answers: { 200: 'CampaignsQualificationResponse' },
  })
  campaigns(
    @Ctx() context: RequestContext,
    @Query() query: CampaignsQualificationQuery,
    @Body() body: unknown,
  ): Promise<object | QualificationRefusal> | QualificationRefusal {
    const request = parsePayload(qualifyingRequest, body ?? {});
    return isRefused(request) ? request : this.qualification.campaigns(context, request, query);
  }

  @Post('vouchers/qualification')
  @HttpCode(200)
  @Operation({
    id: 'qualifyVouchers',
    refuses: legacyQualificationRefusals,
    summary: 'Finds generic vouchers that a customer could use for an order, and changes nothing',
    description:
      'Vouchers without campaign or of a standalone one, limits and budgets included. Of those that their rules admit, the newest 50 ' +
      'are looked at; a change of a voucher or rule is seen within a few seconds.',
    body: qualifyingRequest.schema,
    example,
    answers: { 200: 'VouchersQualificationResponse' },
  })
  vouchers(
    @Ctx() context: RequestContext,
    @Query() query: VouchersQualificationQuery,
    @Body() body: unknown,
  ): Promise<object | QualificationRefusal> | QualificationRefusal {
    const request = parsePayload(qualifyingRequest, body ?? {});
    return isRefused(request) ? request : this.qualification.vouchers(context, request, query);
  }
}
