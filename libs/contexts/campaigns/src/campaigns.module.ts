import { Module } from '@nestjs/common';
import { MetadataSchemas } from '@scrip/metadata';
import { campaignsPort } from '@scrip/contracts/campaigns';
import { answersErasureConsumer } from '@scrip/edge';
import { exportsOfContext } from '@scrip/exports';
import { rulesOfContext } from '@scrip/incentives/rules';
import { servePort } from '@scrip/rpc';
import { binOfContext } from '@scrip/trash-bin';
import { HolderHttp } from './holder/holder.http';
import { HolderReads } from './holder/holder.reads';
import { HoldCleaner } from './holds/hold-cleaner';
import { SessionHttp } from './holds/session.http';
import { VoucherHolds } from './holds/voucher-holds';
import { PublicationExport } from './exports/publication.export';
import { TransactionExport } from './exports/transaction.export';
import { VoucherExport } from './exports/voucher.export';
import { AssetsHttp } from './assets/assets.http';
import { assetIdsProvider } from './assets/asset-ids.provider';
import { DrawnCodes } from './assets/drawn-codes';
import { CampaignChangesHttp } from './campaign/campaign-changes.http';
import { CampaignHttp } from './campaign/campaign.http';
import { CampaignReads } from './campaign/campaign.reads';
import { CreateCampaign } from './campaign/create-campaign';
import { SwitchCampaign } from './campaign/switch-campaign';
import { CampaignWorkReads } from './tasks/campaign-work.reads';
import { FollowingVouchers } from './updating/following-vouchers';
import { UpdateCampaign } from './updating/update-campaign';
import { VoucherUpdateSteps } from './updating/voucher-update-steps';
import { CampaignsPortHandlers } from './campaigns.port-handlers';
import { CategoriesHttp } from './categories/categories.http';
import { Categories } from './categories/categories.table';
import { CurrentCategories } from './categories/current-categories';
import { CategoryHandlers } from './categories/category.handlers';
import { VoucherClaims } from './claims/voucher-claims';
import { AdjustBalances } from './gift/adjust-balance';
import { GiftHttp } from './gift/gift.http';
import { TransactionHttp } from './gift/transaction.http';
import { TransactionReads } from './gift/transaction.reads';
import { CampaignDeletion } from './deletion/campaign-deletion.handlers';
import { DeletionHttp } from './deletion/deletion.http';
import { LiveObjects } from './deletion/live-objects.reads';
import { VoucherDeletion } from './deletion/voucher-deletion.handlers';
import { VoucherDeletionJob } from './deletion/voucher-deletion.job';
import { VoucherDeletionSteps } from './deletion/voucher-deletion-steps';
import { CodeFinder } from './generation/code-finder';
import { CodesAhead } from './generation/codes-ahead';
import { GenerationSteps } from './generation/generation-steps';
import { GenerationJob } from './generation/generation.job';
import { CampaignImportHttp } from './imports/campaign-import.http';
import { ImportCodes } from './imports/import-codes';
import { VoucherBulkHttp } from './bulk/bulk.http';
import { MergeMetadata } from './bulk/merge-metadata';
import { ImportStandalone } from './imports/import-standalone';
import { RulesOfImports } from './imports/rules-of-imports';
import { VoucherImportHttp } from './imports/voucher-import.http';
import { VoucherSets } from './imports/voucher-set';
import { SentCodes } from './imports/sent-codes';
import { CodeStock } from './publication/code-stock';
import { CodeSupply } from './publication/code-supply';
import { FreeVouchers } from './publication/free-vouchers';
import { PublicationHttp } from './publication/publication.http';
import { PublicationLists } from './publication/publication-lists.reads';
import { EarlierPublications } from './publication/earlier-publications';
import { PublicationReads } from './publication/publication.reads';
import { PublishHandlers } from './publication/publish.handlers';
import { PublishingAtOnce } from './publication/publishing-at-once';
import { PublishingLanes } from './publication/publishing-lanes';
import { PublishingTransaction } from './publication/publishing-transaction';
import { ConversionConsumer } from './referral/conversion.consumer';
import { Conversions } from './referral/conversions';
import { HolderLists } from './holder/holder-lists.reads';
import { HoldersHttp } from './referral/holders.http';
import { RefereeHandlers } from './referral/referees.handlers';
import { ReferralCodes } from './referral/referral-codes.reads';
import { SummariesProjection } from './summary/summaries.projection';
import { SummaryHttp } from './summary/summary.http';
import { CreatePromotion } from './promotion/create-promotion';
import { PromotionTiers } from './promotion/promotion-tiers';
import { PromotionCampaigns } from './promotion/promotion-campaigns';
import { CopyAuditConsumer } from './templates/copy-audit.consumer';
import { ManagedTemplateHttp } from './templates/managed-template.http';
import { SetUpTemplates } from './templates/set-up.handlers';
import { TemplateMetadata } from './templates/template-metadata';
import { TemplateResources } from './templates/template-resources';
import { TemplateHandlers } from './templates/template.handlers';
import { TemplateHttp } from './templates/template.http';
import { TemplateReads } from './templates/template.reads';
import { campaignTasks } from './tasks/campaign-tasks';
import { TaskReads } from './tasks/task.reads';
import { CampaignsBin } from './trash-bin/campaigns-bin.handlers';
import { AdditionsConsumer } from './voucher/additions.consumer';
import { AddVouchers } from './voucher/add-vouchers';
import { CreateVoucher } from './voucher/creating/create-voucher';
import { EditVoucher } from './voucher/editing/edit-voucher';
import { QualifyingReads } from './qualifying/qualifying.reads';
import { Redeemables } from './voucher/redeemables';
import { ShownVouchers } from './voucher/shown-vouchers';
import { VoucherChangesHttp } from './voucher/voucher-changes.http';
import { VoucherHttp } from './voucher/voucher.http';
import { VoucherReads } from './voucher/voucher.reads';
import type { ContextDefinition } from '@scrip/service';
import { batchKeysColumn } from '@scrip/tasks';
import { campaignsMigrations } from './migrations';

/** Campaigns, vouchers, the generation of codes, and claims on vouchers. */
@Module({
  controllers: [
    CampaignHttp,
    CampaignImportHttp,
    SummaryHttp,
    CampaignChangesHttp,
    DeletionHttp,
    VoucherImportHttp,
    VoucherBulkHttp,
    VoucherHttp,
    SessionHttp,
    GiftHttp,
    TransactionHttp,
    PublicationHttp,
    HoldersHttp,
    HolderHttp,
    AssetsHttp,
    CategoriesHttp,
    TemplateHttp,
    ManagedTemplateHttp,
    CopyAuditConsumer,
    VoucherChangesHttp,
    AdditionsConsumer,
    ConversionConsumer,
    SummariesProjection,
    answersErasureConsumer('campaigns'),
    ...campaignTasks.controllers,
  ],
  providers: [
    ...binOfContext('campaigns'),
    ...rulesOfContext('campaigns'),
    ...exportsOfContext('campaigns', [VoucherExport, TransactionExport, PublicationExport]),
    MetadataSchemas,
    servePort(campaignsPort, CampaignsPortHandlers),
    assetIdsProvider,
    { provide: DrawnCodes, useFactory: () => new DrawnCodes() },
    AddVouchers,
    AdjustBalances,
    CampaignDeletion,
    CampaignReads,
    CampaignsBin,
    Categories,
    CategoryHandlers,
    CurrentCategories,
    CodeFinder,
    CodesAhead,
    CodeSupply,
    CodeStock,
    FreeVouchers,
    PublicationLists,
    EarlierPublications,
    PublicationReads,
    PublishHandlers,
    PublishingAtOnce,
    PublishingLanes,
    PublishingTransaction,
    Conversions,
    HolderLists,
    RefereeHandlers,
    ReferralCodes,
    CreateCampaign,
    CreateVoucher,
    EditVoucher,
    CreatePromotion,
    GenerationJob,
    LiveObjects,
    GenerationSteps,
    ImportCodes,
    SentCodes,
    PromotionCampaigns,
    PromotionTiers,
    VoucherSets,
    ImportStandalone,
    RulesOfImports,
    MergeMetadata,
    HolderReads,
    HoldCleaner,
    Redeemables,
    QualifyingReads,
    SetUpTemplates,
    ShownVouchers,
    SwitchCampaign,
    TemplateHandlers,
    TemplateMetadata,
    TemplateResources,
    TemplateReads,
    CampaignWorkReads,
    FollowingVouchers,
    UpdateCampaign,
    VoucherUpdateSteps,
    TaskReads,
    TransactionReads,
    VoucherClaims,
    VoucherDeletion,
    VoucherDeletionJob,
    VoucherDeletionSteps,
    VoucherHolds,
    VoucherReads,
    ...campaignTasks.providers,
  ],
})
class CampaignsModule {}

/** Campaigns and vouchers, as a process boots them. */
export const campaignsContext: ContextDefinition = {
  name: 'campaigns',
  module: CampaignsModule,
  migrations: campaignsMigrations,
  sealed: [batchKeysColumn],
  jobs: true,
};
