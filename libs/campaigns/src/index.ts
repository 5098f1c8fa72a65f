import type { ContextDefinition } from '@scrip/service';
import { CampaignsModule } from './campaigns.module';
import { CreateCampaigns1763700000000 } from './migrations/create-campaigns.migration';

/** Campaigns and vouchers, as a process boots them. */
export const campaignsContext: ContextDefinition = {
  name: 'campaigns',
  module: CampaignsModule,
  migrations: [CreateCampaigns1763700000000],
  jobs: true,
};
