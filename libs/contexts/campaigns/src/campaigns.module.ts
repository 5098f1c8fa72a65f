import { Module } from '@nestjs/common';
import { MetadataSchemas } from '@scrip/metadata';
import { campaignsPort } from '@scrip/contracts/campaigns';
import { exportsOfContext } from '@scrip/exports';
import { servePort } from '@scrip/rpc';
import { VoucherExport } from './exports/voucher.export';
import { AssetsHttp } from './assets/assets.http';
import { assetIdsProvider } from './assets/asset-ids.provider';
import { CampaignHttp } from './campaign/campaign.http';
import { CampaignReads } from './campaign/campaign.reads';
import { CreateCampaign } from './campaign/create-campaign';
import { CampaignsPortHandlers } from './campaigns.port-handlers';
import { Categories } from './categories/categories.table';
import { VoucherClaims } from './claims/voucher-claims';
import { CodeFinder } from './generation/code-finder';
import { CodesAhead } from './generation/codes-ahead';
import { GenerationSteps } from './generation/generation-steps';
import { GenerationJob } from './generation/generation.job';
import { campaignTasks } from './tasks/campaign-tasks';
import { TaskReads } from './tasks/task.reads';
import { AdditionsConsumer } from './voucher/additions.consumer';
import { AddVouchers } from './voucher/add-vouchers';
import { Redeemables } from './voucher/redeemables';
import { VoucherHttp } from './voucher/voucher.http';
import { VoucherReads } from './voucher/voucher.reads';

/** Campaigns, vouchers, the generation of codes, and claims on vouchers. */
@Module({
  controllers: [CampaignHttp, VoucherHttp, AssetsHttp, AdditionsConsumer, ...campaignTasks.controllers],
  providers: [
    ...exportsOfContext('campaigns', [VoucherExport]),
    MetadataSchemas,
    servePort(campaignsPort, CampaignsPortHandlers),
    assetIdsProvider,
    AddVouchers,
    CampaignReads,
    Categories,
    CodeFinder,
    CodesAhead,
    CreateCampaign,
    GenerationJob,
    GenerationSteps,
    Redeemables,
    TaskReads,
    VoucherClaims,
    VoucherReads,
    ...campaignTasks.providers,
  ],
})
export class CampaignsModule {}
