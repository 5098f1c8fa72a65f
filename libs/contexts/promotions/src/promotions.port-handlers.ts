import { Injectable } from '@nestjs/common';
import type { PromotionsPort, TiersOfCampaign } from '@scrip/contracts/promotions';
import { tierLimitsMustBeSound } from '@scrip/incentives';
import { RuledCreations, RulesOfBodies } from '@scrip/incentives/rules';
import { type Id, type IdSource, idsDerivedFrom, isRefused } from '@scrip/kernel';
import { fittingOf } from '@scrip/rpc';
import { CampaignsOfPromotions } from './campaign/campaigns-of-promotions';
import { tierNotFound } from './promotions.refusals';
import { RedeemableReads } from './redeeming/redeemable.reads';
import { TierSummaries } from './summary/tier-summary.table';
import { TierCreation } from './tier/tier-creation';
import { TierReads } from './tier/tier.reads';

/** What the id of a tier is asked for as. */
const ofTier = 'promotion-tier';

/** The ids of a tier that another context creates, and of its rules: the same ones when it asks again. */
const idsOfTier = (id: string): IdSource => {
  const others = idsDerivedFrom(id);
  return {
    next: (prefix, kind) => (kind === ofTier ? (id as Id<typeof prefix>) : others.next(prefix, kind)),
  };
};

/** What other contexts ask of promotions. Source: architecture §7. */
@Injectable()
export class PromotionsPortHandlers implements PromotionsPort {
  constructor(
    private readonly campaigns: CampaignsOfPromotions,
    private readonly creation: TierCreation,
    private readonly tiers: TierReads,
    private readonly creations: RuledCreations,
    private readonly rules: RulesOfBodies,
    private readonly redeemables: RedeemableReads,
    private readonly summaries: TierSummaries,
  ) {}

  load: PromotionsPort['load'] = async (context, { objects }) =>
    fittingOf(await this.redeemables.load(context, objects));

  storeCampaign: PromotionsPort['storeCampaign'] = async (context, campaign) => ({
    stored: await this.campaigns.store(context, campaign),
  });

  changeCampaign: PromotionsPort['changeCampaign'] = async (context, changed) => {
    await this.campaigns.change(context, changed);
    return null;
  };

  listTiers: PromotionsPort['listTiers'] = async (context, { campaign_ids }) => {
    const { lists, unknown } = await this.tiers.ofCampaigns(context, campaign_ids);
    const ids = lists.flatMap(({ tiers }) => tiers.map(({ id }) => id));
    const sums = await this.summaries.of(context, ids);
    const sumsOf = ({ tiers }: TiersOfCampaign) =>
      Object.fromEntries(
        tiers.flatMap(({ id }) => {
          const own = sums.get(id);
          return own ? [[id, own] as const] : [];
        }),
      );
    return { lists: lists.map((list) => ({ ...list, sums: sumsOf(list) })), unknown };
  };

  newestTiers: PromotionsPort['newestTiers'] = async (context, wanted) => {
    const ids = await this.tiers.newest(context, wanted);
    return isRefused(ids) ? ids : { ids };
  };

  loadTier: PromotionsPort['loadTier'] = async (context, { id }) => {
    const found = await this.tiers.find(context, id);
    return isRefused(found) ? tierNotFound(id) : found.tier;
  };

  createTier: PromotionsPort['createTier'] = async (context, { id, fields, category, made, ...wanted }) => {
    const ids = idsOfTier(id);
    const ruled = made.length > 0;
    const created = await this.creation.create(context, {
      ...wanted,
      id: await this.rules.newId(context, ids, { prefix: 'promo_', kind: ofTier, ruled }),
      rules: { ids, named: [], made },
      fieldsIn: (campaign) => tierLimitsMustBeSound(fields, campaign) ?? fields,
      category: async () => category,
    });
    return created as Awaited<ReturnType<PromotionsPort['createTier']>>;
  };

  resolveRuledObjects: PromotionsPort['resolveRuledObjects'] = async (context, { objects }) => {
    // The first tiers of a campaign exist with it: they are stored before what is missing counts as given up.
    const campaignIds = objects.flatMap(({ campaign_id }) => campaign_id ?? []);
    for (const id of new Set(campaignIds)) await this.campaigns.known(context, id);
    const { id: projectId } = context.project;
    const asked = objects.map(({ id }) => id);
    return { gone: await this.creations.gone(projectId, asked, (ids) => this.tiers.live(projectId, ids)) };
  };
}
