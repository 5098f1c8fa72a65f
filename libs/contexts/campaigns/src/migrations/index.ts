import type { MigrationClass } from '@scrip/event-store';
import { CreateTaskBatches1797100000001 } from '@scrip/tasks';
import { CampaignsCanBeDeleted1802000000002 } from './campaigns-can-be-deleted.migration';
import { CategoriesAreReferredTo1801500000008 } from './categories-are-referred-to.migration';
import { ClaimsKeepJson1764000000000 } from './claims-keep-json.migration';
import { CountsReadAnIndex1797000000000 } from './counts-read-an-index.migration';
import { CreateCampaignSummaries1802300000002 } from './create-campaign-summaries.migration';
import { CreateCampaignTemplates1802100000007 } from './create-campaign-templates.migration';
import { CreateCampaigns1763700000000 } from './create-campaigns.migration';
import { CreatePublications1801500000006 } from './create-publications.migration';
import { CreateReferrals1802100000002 } from './create-referrals.migration';
import { CreateVoucherHolds1803100000160 } from './create-voucher-holds.migration';
import { CreateVoucherTransactions1801300000004 } from './create-voucher-transactions.migration';
import { DefinitionsHaveRevisions1801200000001 } from './definitions-have-revisions.migration';
import { HoldersAreListed1802100000001 } from './holders-are-listed.migration';
import { ListsFindByIndex1796000000002 } from './lists-find-by-index.migration';
import { ListsLeaveDeletedOut1801400000012 } from './lists-leave-deleted-out.migration';
import { PublicationsAreFound1802400000021 } from './publications-are-found.migration';
import { PublicationsAreListed1801600000006 } from './publications-are-listed.migration';
import { RulesComeWithBodies1802200000115 } from './rules-come-with-bodies.migration';
import { TasksByKind1796000000001 } from './tasks-by-kind.migration';
import { UsedVouchersNameTheirRevision1801200000011 } from './used-vouchers-name-their-revision.migration';
import { VouchersArePublishable1801500000007 } from './vouchers-are-publishable.migration';
import { VouchersCanBeDeleted1801400000002 } from './vouchers-can-be-deleted.migration';
import { VouchersDiffer1796000000000 } from './vouchers-differ.migration';
import { WindowsAreListed1802300000014 } from './windows-are-listed.migration';

/** The schema of the context `campaigns`. */
export const campaignsMigrations: MigrationClass[] = [
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
];
