import type { ContextDefinition } from '@scrip/service';
import { batchKeysColumn, CreateTaskBatches1797100000001 } from '@scrip/tasks';
import { CampaignsModule } from './campaigns.module';
import { VouchersCanBeDeleted1801400000002 } from './migrations/vouchers-can-be-deleted.migration';
import { CategoriesAreReferredTo1801500000008 } from './migrations/categories-are-referred-to.migration';
import { VouchersDiffer1796000000000 } from './migrations/vouchers-differ.migration';
import { CampaignsCanBeDeleted1802000000002 } from './migrations/campaigns-can-be-deleted.migration';
import { ClaimsKeepJson1764000000000 } from './migrations/claims-keep-json.migration';
import { CountsReadAnIndex1797000000000 } from './migrations/counts-read-an-index.migration';
import { CreateCampaigns1763700000000 } from './migrations/create-campaigns.migration';
import { DefinitionsHaveRevisions1801200000001 } from './migrations/definitions-have-revisions.migration';
import { CreateCampaignTemplates1802100000007 } from './migrations/create-campaign-templates.migration';
import { CreateCampaignSummaries1802300000002 } from './migrations/create-campaign-summaries.migration';
import { CreateVoucherTransactions1801300000004 } from './migrations/create-voucher-transactions.migration';
import { CreatePublications1801500000006 } from './migrations/create-publications.migration';
import { CreateReferrals1802100000002 } from './migrations/create-referrals.migration';
import { HoldersAreListed1802100000001 } from './migrations/holders-are-listed.migration';
import { ListsFindByIndex1796000000002 } from './migrations/lists-find-by-index.migration';
import { ListsLeaveDeletedOut1801400000012 } from './migrations/lists-leave-deleted-out.migration';
import { PublicationsAreFound1802400000021 } from './migrations/publications-are-found.migration';
import { PublicationsAreListed1801600000006 } from './migrations/publications-are-listed.migration';
import { RulesComeWithBodies1802200000115 } from './migrations/rules-come-with-bodies.migration';
import { TasksByKind1796000000001 } from './migrations/tasks-by-kind.migration';
import { VouchersArePublishable1801500000007 } from './migrations/vouchers-are-publishable.migration';
import { WindowsAreListed1802300000014 } from './migrations/windows-are-listed.migration';
import { UsedVouchersNameTheirRevision1801200000011 } from './migrations/used-vouchers-name-their-revision.migration';
import { CreateVoucherHolds1803100000160 } from './migrations/create-voucher-holds.migration';

/** Campaigns and vouchers, as a process boots them. */
export const campaignsContext: ContextDefinition = {
  name: 'campaigns',
  module: CampaignsModule,
  migrations: [
    CreateCampaigns1763700000000,
    ClaimsKeepJson1764000000000,
    VouchersDiffer1796000000000,
    TasksByKind1796000000001,
    ListsFindByIndex1796000000002,
    CountsReadAnIndex1797000000000,
    CreateTaskBatches1797100000001,
    DefinitionsHaveRevisions1801200000001,
    UsedVouchersNameTheirRevision1801200000011,
    CreateVoucherTransactions1801300000004,
    VouchersCanBeDeleted1801400000002,
    ListsLeaveDeletedOut1801400000012,
    CreatePublications1801500000006,
    VouchersArePublishable1801500000007,
    CategoriesAreReferredTo1801500000008,
    PublicationsAreListed1801600000006,
    CampaignsCanBeDeleted1802000000002,
    HoldersAreListed1802100000001,
    CreateReferrals1802100000002,
    CreateCampaignTemplates1802100000007,
    RulesComeWithBodies1802200000115,
    CreateCampaignSummaries1802300000002,
    WindowsAreListed1802300000014,
    PublicationsAreFound1802400000021,
    CreateVoucherHolds1803100000160,
  ],
  sealed: [batchKeysColumn],
  jobs: true,
};
