import { Injectable } from '@nestjs/common';
import { ContextExports } from '@scrip/exports';
import type { CampaignsPort } from '@scrip/contracts/campaigns';
import { ItemTasks } from '@scrip/tasks';
import { VoucherClaims } from './claims/voucher-claims';
import { TaskReads } from './tasks/task.reads';

/** What other contexts ask of campaigns. Source: architecture §7, §8. */
@Injectable()
export class CampaignsPortHandlers implements CampaignsPort {
  constructor(
    private readonly claims: VoucherClaims,
    private readonly tasks: TaskReads,
    private readonly itemTasks: ItemTasks,
    private readonly exports: ContextExports,
  ) {}

  load: CampaignsPort['load'] = (context, request) => this.claims.load(context, request);

  claim: CampaignsPort['claim'] = (context, request) => this.claims.claim(context, request);

  settle: CampaignsPort['settle'] = (context, request) => this.claims.settle(context, request);

  refund: CampaignsPort['refund'] = (context, request) => this.claims.refund(context, request);

  loadAsyncAction: CampaignsPort['loadAsyncAction'] = (context, { id }) => this.tasks.find(context, id);

  readTaskReport: CampaignsPort['readTaskReport'] = (context, request) =>
    this.itemTasks.report(context, request);

  checkExport: CampaignsPort['checkExport'] = (context, request) => this.exports.check(context, request);

  writeExport: CampaignsPort['writeExport'] = (context, request) => this.exports.write(context, request);
}
