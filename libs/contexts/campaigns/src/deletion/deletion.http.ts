import { Controller, Delete, HttpCode, Param, Query } from '@nestjs/common';
import { ContextOf, Ctx, Ids, Operation, Refusals } from '@scrip/edge';
import type { IdSource, Refusal, RequestContext } from '@scrip/kernel';
import { deletionOf, DeletionQuery } from '@scrip/trash-bin';
import { campaignsRefusals } from '../campaigns.refusals';
import { CampaignDeletion } from './campaign-deletion.handlers';
import { VoucherDeletion } from './voucher-deletion.handlers';

/** Deletions. Source: reference 04 §4.4, §5. */
@Controller('/v1')
@ContextOf('campaigns')
@Refusals(campaignsRefusals)
export class DeletionHttp {
  constructor(
    private readonly campaigns: CampaignDeletion,
    private readonly vouchers: VoucherDeletion,
  ) {}

  @Delete('campaigns/:campaignId')
  @HttpCode(202)
  @Operation({
    id: 'deleteCampaign',
    refuses: [],
    links: { getAsyncAction: { asyncActionId: '/async_action_id' } },
    summary: 'Deletes a campaign with its vouchers',
    description:
      'Named by its id or its name: into the bin, where its name and its codes stay taken until it is purged there, or for ' +
      'good with `force=true`. No call finds it from then on, and none of its vouchers can be used; a background task ' +
      'deletes them. Nothing comes back.',
    answers: { 202: 'OrderedVouchersResponse' },
  })
  deleteCampaign(
    @Ctx() context: RequestContext,
    @Param('campaignId') idOrName: string,
    @Ids() ids: IdSource,
    @Query() query: DeletionQuery,
  ): Promise<{ async_action_id: string } | Refusal<'not_found'>> {
    return this.campaigns.delete(context, ids, idOrName, deletionOf(query, ids));
  }

  @Delete('vouchers/:code')
  @HttpCode(204)
  @Operation({
    id: 'deleteVoucher',
    refuses: [],
    summary: 'Deletes a voucher',
    description:
      'Named by its code or its id: into the bin, where its code stays taken until it is purged there, or for good with ' +
      '`force=true`. Nothing comes back. A redemption that is under way is carried to its end, and one of before can be ' +
      'rolled back.',
    answers: { 204: null },
  })
  async deleteVoucher(
    @Ctx() context: RequestContext,
    @Param('code') code: string,
    @Ids() ids: IdSource,
    @Query() query: DeletionQuery,
  ): Promise<Refusal<'not_found'> | undefined> {
    return (await this.vouchers.delete(context, code, deletionOf(query, ids))) ?? undefined;
  }
}
