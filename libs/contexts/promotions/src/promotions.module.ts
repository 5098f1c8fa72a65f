import { Module } from '@nestjs/common';
import { promotionsPort } from '@scrip/contracts/promotions';
import { rulesOfContext } from '@scrip/incentives/rules';
import { MetadataSchemas } from '@scrip/metadata';
import { servePort } from '@scrip/rpc';
import type { ContextDefinition } from '@scrip/service';
import { InternalContexts } from '@scrip/tasks';
import { CampaignConsumer } from './campaign/campaign.consumer';
import { CampaignLock } from './campaign/campaign-lock';
import { CampaignsOfPromotions } from './campaign/campaigns-of-promotions';
import { PromotionCampaigns } from './campaign/promotion-campaigns.table';
import { PromotionsPortHandlers } from './promotions.port-handlers';
import { RedeemableReads } from './redeeming/redeemable.reads';
import { StackHandlers } from './stack/stack.handlers';
import { StackHttp } from './stack/stack.http';
import { StackReads } from './stack/stack.reads';
import { StacksOfCampaign } from './stack/stacks-of-campaign';
import { TierCreation } from './tier/tier-creation';
import { TierHandlers } from './tier/tier.handlers';
import { TierHttp } from './tier/tier.http';
import { TierSummaryProjection } from './summary/tier-summary.projection';
import { TierSummaries } from './summary/tier-summary.table';
import { TierReads } from './tier/tier.reads';
import { promotionsMigrations } from './migrations';

@Module({
  controllers: [TierHttp, StackHttp, CampaignConsumer, TierSummaryProjection],
  providers: [
    servePort(promotionsPort, PromotionsPortHandlers),
    CampaignLock,
    ...rulesOfContext('promotions'),
    CampaignsOfPromotions,
    TierCreation,
    InternalContexts,
    MetadataSchemas,
    PromotionCampaigns,
    RedeemableReads,
    StackHandlers,
    StackReads,
    StacksOfCampaign,
    TierHandlers,
    TierReads,
    TierSummaries,
  ],
})
class PromotionsModule {}

/** Promotions, as a process boots it. */
export const promotionsContext: ContextDefinition = {
  name: 'promotions',
  module: PromotionsModule,
  migrations: promotionsMigrations,
};
