import { Injectable } from '@nestjs/common';
import type { CampaignsPort } from '@scrip/contracts';
import { ClaimSettlement } from './claims/claim-settlement';
import { Claims } from './claims/claims.handlers';
import { TaskReads } from './tasks/task.reads';
import { Redeemables } from './voucher/redeemables';

/** What other contexts ask of campaigns. Source: architecture §7, §8. */
@Injectable()
export class CampaignsPortHandlers implements CampaignsPort {
  constructor(
    private readonly redeemables: Redeemables,
    private readonly claims: Claims,
    private readonly settlement: ClaimSettlement,
    private readonly tasks: TaskReads,
  ) {}

  loadRedeemables: CampaignsPort['loadRedeemables'] = (context, { vouchers }) =>
    this.redeemables.load(context, vouchers);

  claim: CampaignsPort['claim'] = (context, request) => this.claims.claim(context, request);

  settle: CampaignsPort['settle'] = async (context, { outcomes, claims }) => {
    await this.settlement.settle(context, outcomes, claims);
    return null;
  };

  refund: CampaignsPort['refund'] = (context, request) => this.claims.refund(context, request);

  loadAsyncAction: CampaignsPort['loadAsyncAction'] = (context, { id }) => this.tasks.find(context, id);
}
