import { Injectable } from '@nestjs/common';
import { loadAll } from '@scrip/contracts/claims';
import { type PromotionsPort, promotionsPort, type TiersWanted } from '@scrip/contracts/promotions';
import { isRefused, type RequestContext } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import { type RequestedTier, tierKind } from '../participants/tier-kind';
import type { QualificationRefusal } from '../qualification.refusals';
import { type LoadedCandidate, loadedTier } from '../qualifying/loaded-candidate';
import { RedemptionMetadata } from '../evaluation/redemption-metadata';
import { asksForCategories, type TierRequest } from '../request/single-request';
import { TiersJudgement } from './tiers-judgement';
import { renderValidTier, type TiersValidationResponse } from './tier-validation.wire';

/** Older tiers are ignored. Source: reference 03 §5.4. */
const examinedTiersMax = 150;

/** What the query of such a call says. */
export interface TiersChosen {
  filters: TiersWanted['filters'];
  audienceRulesOnly: boolean;
}

/** Lists the tiers that apply to a cart. Source: reference 03 §5.4, reference 02 §9. */
@Injectable()
export class TiersValidation {
  constructor(
    @InjectPort(promotionsPort) private readonly promotions: PromotionsPort,
    private readonly judgement: TiersJudgement,
    private readonly metadata: RedemptionMetadata,
  ) {}

  /** The newest first. Refuses as a validation of redeemables does, and filters whose values do not fit. */
  async list(
    context: RequestContext,
    request: TierRequest,
    { filters, audienceRulesOnly }: TiersChosen,
  ): Promise<TiersValidationResponse | QualificationRefusal> {
    const misfit = await this.metadata.refusalOf(context, request);
    if (misfit) return misfit;
    const judged = await this.judgement.of(
      context,
      request,
      () => this.newest(context, filters),
      audienceRulesOnly ? 'AUDIENCE_ONLY_LEGACY' : 'FULL',
    );
    if (isRefused(judged)) return judged;
    const { found, trackingId, show, settings } = judged;
    const shown = { requestId: context.requestId, trackingId: null, show };
    const categoriesUnder = asksForCategories(request) ? settings : null;
    return {
      valid: found.length > 0,
      ...(trackingId === null ? {} : { tracking_id: trackingId }),
      promotions: found.map(({ loaded, parts: [part] }) => {
        const { tier, categories } = tierKind.describe(loaded.parts[0]!.found as RequestedTier);
        return renderValidTier({ tier: tier!, categories }, part!, { ...shown, categoriesUnder });
      }),
    };
  }

  private async newest(
    context: RequestContext,
    filters: TiersWanted['filters'],
  ): Promise<LoadedCandidate[] | QualificationRefusal> {
    const newest = await this.promotions.newestTiers(context, { filters, limit: examinedTiersMax });
    if (isRefused(newest)) return newest;
    const loaded = await loadAll(this.promotions, context, newest.ids);
    return loaded.flatMap((one) => (isRefused(one) || 'promotion_stack' in one ? [] : loadedTier(one)));
  }
}
