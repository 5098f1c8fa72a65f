import { Injectable } from '@nestjs/common';
import { type CampaignsPort, campaignsPort } from '@scrip/contracts/campaigns';
import { type PromotionsPort, promotionsPort } from '@scrip/contracts/promotions';
import type { RuledObject, RuledObjectType } from '@scrip/contracts/qualification';
import { isRefused, notFound, type Refusal, type RequestContext } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';

/** What rules can be assigned to, as callers name it. Source: reference 02 §5. */
export const ruledObjectTypes = [
  'voucher',
  'campaign',
  'promotion_tier',
  'earning_rule',
  'reward_assignment',
  'distribution',
] as const satisfies readonly RuledObjectType[];

/** Asks the owners of what rules are assigned to. */
@Injectable()
export class RuledObjects {
  constructor(
    @InjectPort(campaignsPort) private readonly campaigns: CampaignsPort,
    @InjectPort(promotionsPort) private readonly promotions: PromotionsPort,
  ) {}

  /** Returns a voucher (by code or id), campaign (by name or id) or promotion tier (by id). Refuses `not_found`, also for kinds of
   *  objects that do not exist yet. */
  async find(
    context: RequestContext,
    type: RuledObjectType,
    named: string,
  ): Promise<RuledObject | Refusal<'not_found'>> {
    switch (type) {
      case 'voucher': {
        const [found] = await this.campaigns.load(context, { objects: [named] });
        if (!found || isRefused(found)) return notFound(type, named);
        return { type, id: found.voucher.id, campaign_id: found.voucher.campaign_id };
      }
      case 'campaign': {
        const [found] = await this.campaigns.loadCampaigns(context, { campaigns: [named] });
        return found ? { type, id: found.id, campaign_id: null } : notFound(type, named);
      }
      case 'promotion_tier': {
        const found = await this.promotions.loadTier(context, { id: named });
        return isRefused(found) ? notFound(type, named) : { type, id: named, campaign_id: found.campaign_id };
      }
      default:
        return notFound(type, named);
    }
  }

  /** Which of these objects do not exist and never will. The first tiers of a campaign come with it: where it is gone, so are they.
   *  Source: ADR 114. */
  async gone(context: RequestContext, objects: readonly RuledObject[]): Promise<Set<string>> {
    const tiers = objects.filter(({ type }) => type === 'promotion_tier');
    const campaigns = new Set(tiers.flatMap(({ campaign_id }) => campaign_id ?? []));
    const asked = [
      ...objects.filter(({ type }) => type === 'voucher' || type === 'campaign'),
      ...[...campaigns].map((id): RuledObject => ({ type: 'campaign', id, campaign_id: null })),
    ];
    const gone = new Set(
      asked.length === 0 ? [] : (await this.campaigns.resolveRuledObjects(context, { objects: asked })).gone,
    );
    const left = tiers.filter(({ campaign_id }) => campaign_id === null || !gone.has(campaign_id));
    for (const { id, campaign_id } of tiers) if (campaign_id !== null && gone.has(campaign_id)) gone.add(id);
    if (left.length > 0)
      for (const id of (await this.promotions.resolveRuledObjects(context, { objects: left })).gone)
        gone.add(id);
    return gone;
  }
}
