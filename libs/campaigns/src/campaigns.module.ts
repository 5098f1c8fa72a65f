import { Module } from '@nestjs/common';
import { campaignsPort } from '@scrip/contracts';
import { servePort } from '@scrip/rpc';
import { AssetsHttp } from './assets/assets.http';
import { assetIdsProvider } from './assets/asset-ids.provider';
import { CampaignHttp } from './campaign/campaign.http';
import { CampaignReads } from './campaign/campaign.reads';
import { CreateCampaign } from './campaign/create-campaign';
import { CampaignsPortHandlers } from './campaigns.port.handlers';
import { Categories } from './categories/categories.table';
import { ClaimSettlement } from './claims/claim-settlement';
import { Claims } from './claims/claims.handlers';
import { ProvisionalClaims } from './claims/provisional-claims';
import { SettledSignal } from './claims/settled-signal';
import { SettlementLoop } from './claims/settlement.loop';
import { CodeFinder } from './generation/code-finder';
import { GenerationSteps } from './generation/generation-steps';
import { GenerationConsumer } from './generation/generation.consumer';
import { GenerationJob } from './generation/generation.job';
import { ProjectContexts } from './project-context';
import { TaskReads } from './tasks/task.reads';
import { AdditionsConsumer } from './voucher/additions.consumer';
import { AddVouchers } from './voucher/add-vouchers';
import { Redeemables } from './voucher/redeemables';
import { VoucherHttp } from './voucher/voucher.http';
import { VoucherReads } from './voucher/voucher.reads';

/** Campaigns, vouchers, the generation of codes, and claims on vouchers. */
@Module({
  controllers: [CampaignHttp, VoucherHttp, AssetsHttp, GenerationConsumer, AdditionsConsumer],
  providers: [
    servePort(campaignsPort, CampaignsPortHandlers),
    assetIdsProvider,
    AddVouchers,
    CampaignReads,
    Categories,
    Claims,
    ClaimSettlement,
    CodeFinder,
    CreateCampaign,
    GenerationJob,
    GenerationSteps,
    ProjectContexts,
    ProvisionalClaims,
    Redeemables,
    SettledSignal,
    SettlementLoop,
    TaskReads,
    VoucherReads,
  ],
})
export class CampaignsModule {}
