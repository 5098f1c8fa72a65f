import type { ContextDefinition } from '@scrip/service';
import { batchKeysColumn, CreateTaskBatches1797100000001 } from '@scrip/tasks';
import { CampaignsModule } from './campaigns.module';
import { VouchersDiffer1796000000000 } from './migrations/vouchers-differ.migration';
import { ClaimsKeepJson1764000000000 } from './migrations/claims-keep-json.migration';
import { CountsReadAnIndex1797000000000 } from './migrations/counts-read-an-index.migration';
import { CreateCampaigns1763700000000 } from './migrations/create-campaigns.migration';
import { ListsFindByIndex1796000000002 } from './migrations/lists-find-by-index.migration';
import { TasksByKind1796000000001 } from './migrations/tasks-by-kind.migration';

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
  ],
  sealed: [batchKeysColumn],
  jobs: true,
};
