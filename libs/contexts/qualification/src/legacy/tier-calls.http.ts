import { Body, Controller, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ContextOf,
  Ctx,
  type IdempotencyRow,
  IsFilters,
  IsFlag,
  KeyRow,
  Operation,
  Refusals,
} from '@scrip/edge';
import { isRefused, type RequestContext } from '@scrip/kernel';
import { filterOperators, type Filters } from '@scrip/list-query';
import { IsOptional } from 'class-validator';
import {
  type QualificationRefusal,
  qualificationRefusals,
  tierRedemptionRefusals,
  tiersValidationRefusals,
  tierValidationRefusals,
} from '../qualification.refusals';
import { RedeemHandlers } from '../redemption/redeem.handlers';
import { parseTierCall, parseTiersCall, singleExample, tierRequest } from '../request/single-request';
import { redeemedStoredOrder, validatedStoredOrder } from '../rendering/stored-order-header';
import { onlyRedemption } from './only-redemption';
import { SingleRedemptionQuery } from './single-redemption.query';
import { SingleValidations } from './single-validations';
import { TiersValidation } from './tiers-validation';

class TiersValidationQuery {
  /** Only rules on the customer are evaluated. */
  @IsOptional()
  @IsFlag()
  audienceRulesOnly?: boolean;

  @IsOptional()
  @IsFilters({ fields: ['promotion_id', 'metadata.*'], operators: filterOperators })
  filters?: Filters;
}

/** Calls for promotion tiers, in shapes of their own. Source: reference 03 §5.4, §6.3. */
@ContextOf('qualification')
@Refusals(qualificationRefusals)
@Controller('v1/promotions')
export class TierCallsHttp {
  constructor(
    private readonly validations: SingleValidations,
    private readonly tiers: TiersValidation,
    private readonly redemptions: RedeemHandlers,
  ) {}

  @Post('validation')
  @HttpCode(200)
  @Operation({
    id: 'validatePromotions',
    refuses: tiersValidationRefusals,
    summary: 'Lists the promotion tiers that apply, each as if it alone were applied',
    description:
      'The newest 150 tiers in force are looked at. `filters` choose by `promotion_id` and `metadata.key`.',
    body: tierRequest.schema,
    example: singleExample,
    answers: { 200: 'TiersValidationResponse' },
  })
  list(
    @Ctx() context: RequestContext,
    @Query() { audienceRulesOnly = false, filters = { junction: 'and', fields: {} } }: TiersValidationQuery,
    @Body() body: unknown,
  ): Promise<object | QualificationRefusal> | QualificationRefusal {
    const request = parseTiersCall(body);
    return isRefused(request) ? request : this.tiers.list(context, request, { audienceRulesOnly, filters });
  }

  @Post('tiers/:promotionTierId/validation')
  @HttpCode(200)
  @Operation({
    id: 'validatePromotionTier',
    refuses: tierValidationRefusals,
    summary: 'Tells what one promotion tier would do, and changes nothing',
    description: 'A tier that does not apply is told with 200 and `valid: false`, an unknown one too.',
    header: validatedStoredOrder,
    body: tierRequest.schema,
    example: singleExample,
    answers: { 200: 'TierValidationResponse' },
  })
  validate(
    @Ctx() context: RequestContext,
    @Param('promotionTierId') id: string,
    @Body() body: unknown,
  ): Promise<object | QualificationRefusal> | QualificationRefusal {
    const call = parseTierCall(body, id);
    return isRefused(call) ? call : this.validations.tier(context, call);
  }

  @Post('tiers/:promotionTierId/redemption')
  @HttpCode(200)
  @Operation({
    id: 'redeemPromotionTier',
    refuses: tierRedemptionRefusals,
    links: { getRedemption: { redemptionId: '/id' }, rollBackRedemption: { redemptionId: '/id' } },
    summary: 'Redeems one promotion tier',
    description: 'Send an `Idempotency-Key`, so that a repetition after a lost answer redeems nothing again.',
    header: redeemedStoredOrder,
    body: tierRequest.schema,
    example: singleExample,
    answers: { 200: 'RedemptionEntryResponse' },
  })
  redeem(
    @Ctx() context: RequestContext,
    @KeyRow() key: IdempotencyRow | null,
    @Param('promotionTierId') id: string,
    @Query() query: SingleRedemptionQuery,
    @Body() body: unknown,
  ): Promise<object | QualificationRefusal> | QualificationRefusal {
    const call = parseTierCall(body, id, { ...query });
    return isRefused(call) ? call : this.redemptions.redeem(context, call.request, key, onlyRedemption);
  }
}
