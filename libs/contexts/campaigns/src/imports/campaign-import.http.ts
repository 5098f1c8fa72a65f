import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import type { CampaignSnapshot } from '@scrip/contracts/campaigns';
import {
  ContextOf,
  Ctx,
  EdgeFailure,
  eachInput,
  failureOfRefusal,
  Ids,
  listBody,
  Operation,
  Refusals,
} from '@scrip/edge';
import { type IdSource, type RequestContext, isRefused, refuse } from '@scrip/kernel';
import { ItemTasks, type TaskInput } from '@scrip/tasks';
import { csvBody, openCsvImport } from '@scrip/tasks/imports';
import { CampaignReads } from '../campaign/campaign.reads';
import { campaignsRefusals, type CampaignsRefusal } from '../campaigns.refusals';
import { campaignColumns } from './campaign-columns';
import { ImportCampaignFile } from './import-campaign-file.task';
import { ImportCampaignCodes } from './import-campaign-codes.task';
import { ImportedCodeBody } from './import.dto';
import type { ImportTarget } from './import-target';
import { type ImportedVoucher, mustTakeImports } from './imported-voucher';
import { SentCodes } from './sent-codes';

const links = { getAsyncAction: { asyncActionId: '/async_action_id' } };

const failOn = (refusal: CampaignsRefusal | null): void => {
  if (refusal) throw new EdgeFailure(failureOfRefusal(refusal, [campaignsRefusals]));
};

const voucherOf = ({ redemption, gift, loyalty_card, ...body }: ImportedCodeBody): ImportedVoucher => ({
  code: body.code,
  active: body.active ?? undefined,
  category: body.category,
  start_date: body.start_date,
  expiration_date: body.expiration_date,
  additional_info: body.additional_info,
  metadata: body.metadata ?? undefined,
  quantity: redemption?.quantity,
  gift_amount: gift?.amount,
  points: loyalty_card?.points,
});

const targetOf = ({ id }: CampaignSnapshot, ids: IdSource): ImportTarget => ({
  campaign_id: id,
  definition_id: ids.next('vd_', 'definition'),
});

/** Imports of codes into campaigns. Source: reference 04 §4.7. */
@Controller('/v1/campaigns')
@ContextOf('campaigns')
@Refusals(campaignsRefusals)
export class CampaignImportHttp {
  constructor(
    private readonly campaigns: CampaignReads,
    private readonly tasks: ItemTasks,
    private readonly importCodes: ImportCampaignCodes,
    private readonly importFile: ImportCampaignFile,
    private readonly sent: SentCodes,
  ) {}

  @Post(':campaignId/import')
  @HttpCode(202)
  @Operation({
    id: 'importCampaignVouchers',
    refuses: ['invalid_campaign', 'invalid_voucher', 'duplicate_key', 'not_found'],
    links,
    summary: 'Adds given codes to a campaign in the background',
    description:
      'Each inherits what the campaign says, and has what it says itself instead. Where a code exists or repeats, nothing is ' +
      'imported; a row that fails later does not stop the others.',
    body: listBody(ImportedCodeBody),
    example: [{ code: 'IMPORTED-1' }, { code: 'IMPORTED-2', redemption: { quantity: 3 }, active: false }],
    answers: { 202: 'OrderedTaskResponse' },
  })
  async import(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Param('campaignId') campaignId: string,
    @Body() body: unknown,
  ) {
    const campaign = await this.open(context, campaignId);
    if (isRefused(campaign)) return campaign;
    const target = targetOf(campaign, ids);
    return this.tasks.enqueue(context, ids, this.importCodes, this.inputs(context, campaign, body), target);
  }

  @Post(':campaignId/importCSV')
  @HttpCode(200)
  @Operation({
    id: 'importCampaignVouchersFile',
    refuses: ['invalid_campaign', 'not_found'],
    links,
    summary: 'Adds the codes of a file to a campaign in the background',
    description:
      'Each inherits what the campaign says, and has what its row says instead. Of a code that the campaign has, only `Active` ' +
      'and `Category` change. Amounts are in major units: `14.5` is 1450. Columns that are no standard ones become metadata. A ' +
      'row that fails does not stop the others.',
    body: csvBody,
    example: {
      file: 'Code,Active,Category,Expiration Date,shop\nPAPER-1,TRUE,Paper,2099-12-31,Rome\nPAPER-2,FALSE,,,\n',
    },
    answers: { 200: 'OrderedTaskResponse' },
  })
  async importCsv(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Param('campaignId') campaignId: string,
    @Body() body: unknown,
  ) {
    const campaign = await this.open(context, campaignId);
    if (isRefused(campaign)) return campaign;
    const { shared, rows } = await openCsvImport(body, campaignColumns);
    return this.tasks.enqueue(context, ids, this.importFile, rows, { ...shared, ...targetOf(campaign, ids) });
  }

  private async open(
    context: RequestContext,
    idOrName: string,
  ): Promise<CampaignSnapshot | CampaignsRefusal> {
    const campaign = await this.campaigns.find(context, idOrName);
    return isRefused(campaign) ? campaign : (mustTakeImports(campaign) ?? campaign);
  }

  /** The items of a body. They are read only where the task is not there yet: a repetition of the call finds its own codes. */
  private async *inputs(
    { project }: RequestContext,
    { voucher }: CampaignSnapshot,
    body: unknown,
  ): AsyncGenerator<TaskInput<ImportedVoucher>> {
    if (Array.isArray(body)) {
      if (body.length === 0) failOn(refuse('invalid_payload', 'Payload should NOT have fewer than 1 items'));
      failOn(await this.sent.missing(body));
      failOn(await this.sent.duplicates(project, body));
    }
    let index = 0;
    for (const item of eachInput(ImportedCodeBody, body)) {
      if (item.type && item.type !== voucher?.type)
        failOn(refuse('invalid_payload', `Property [${index}].type should be ${voucher?.type}`));
      yield { item: voucherOf(item) };
      index += 1;
    }
  }
}
