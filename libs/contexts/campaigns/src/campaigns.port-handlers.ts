import { Injectable } from '@nestjs/common';
import { ContextExports } from '@scrip/exports';
import type { CampaignsPort } from '@scrip/contracts/campaigns';
import { type BusinessClock, isRefused } from '@scrip/kernel';
import { fittingOf } from '@scrip/rpc';
import { InjectBusinessClock } from '@scrip/service';
import { RuledCreations } from '@scrip/incentives/rules';
import { ItemTasks } from '@scrip/tasks';
import { Categories } from './categories/categories.table';
import { CampaignReads } from './campaign/campaign.reads';
import { LiveObjects } from './deletion/live-objects.reads';
import { BinEntryReads } from '@scrip/trash-bin';
import { PromotionCampaigns } from './promotion/promotion-campaigns';
import { VoucherClaims } from './claims/voucher-claims';
import { VoucherHolds } from './holds/voucher-holds';
import { QualifyingReads } from './qualifying/qualifying.reads';
import { TaskReads } from './tasks/task.reads';
import { CampaignsBin } from './trash-bin/campaigns-bin.handlers';

/** What other contexts ask of campaigns. Source: architecture §7, §8. */
@Injectable()
export class CampaignsPortHandlers implements CampaignsPort {
  constructor(
    private readonly claims: VoucherClaims,
    private readonly tasks: TaskReads,
    private readonly itemTasks: ItemTasks,
    private readonly exports: ContextExports,
    private readonly promotions: PromotionCampaigns,
    private readonly categories: Categories,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly campaigns: CampaignReads,
    private readonly binned: BinEntryReads,
    private readonly bin: CampaignsBin,
    private readonly live: LiveObjects,
    private readonly creations: RuledCreations,
    private readonly qualifying: QualifyingReads,
    private readonly holds: VoucherHolds,
  ) {}

  load: CampaignsPort['load'] = async (context, request) =>
    fittingOf(await this.claims.load(context, request));

  claim: CampaignsPort['claim'] = (context, request) => this.claims.claim(context, request);

  settle: CampaignsPort['settle'] = (context, request) => this.claims.settle(context, request);

  refund: CampaignsPort['refund'] = (context, request) => this.claims.refund(context, request);

  hold: CampaignsPort['hold'] = (context, request) => this.holds.hold(context, request);

  loadCampaigns: CampaignsPort['loadCampaigns'] = (context, { campaigns }) =>
    this.campaigns.findMany(context, campaigns);

  loadAsyncAction: CampaignsPort['loadAsyncAction'] = (context, { id }) => this.tasks.find(context, id);

  readTaskReport: CampaignsPort['readTaskReport'] = (context, request) =>
    this.itemTasks.report(context, request);

  listBinEntries: CampaignsPort['listBinEntries'] = (context, { wanted }) =>
    this.binned.list(context, wanted);

  purgeBinEntry: CampaignsPort['purgeBinEntry'] = (context, { id }) => this.bin.purge(context, id);
  loadPromotion: CampaignsPort['loadPromotion'] = (context, { campaign }) =>
    this.promotions.load(context, campaign);

  checkExport: CampaignsPort['checkExport'] = (context, request) => this.exports.check(context, request);

  writeExport: CampaignsPort['writeExport'] = (context, request) => this.exports.write(context, request);

  chooseCategory: CampaignsPort['chooseCategory'] = async ({ project }, { new_id, ...choice }) => {
    const now = this.clock.now(project);
    const chosen = await this.categories.chooseUnder(project.id, choice, () => new_id, now);
    return isRefused(chosen) ? chosen : { category: chosen };
  };

  resolveRuledObjects: CampaignsPort['resolveRuledObjects'] = async ({ project }, { objects }) => {
    const asked = objects.map(({ id }) => id);
    return {
      gone: await this.creations.gone(project.id, asked, (ids) => this.live.among(project.id, ids)),
    };
  };

  loadCategories: CampaignsPort['loadCategories'] = async ({ project }, { ids }) => ({
    categories: await this.categories.load(project.id, ids),
  });

  loadQualifying: CampaignsPort['loadQualifying'] = async (context, { objects, countsCodes = false }) =>
    fittingOf(await this.qualifying.load(context, objects, { countsCodes }));

  listHeld: CampaignsPort['listHeld'] = (context, wanted) => this.qualifying.held(context, wanted);
}
