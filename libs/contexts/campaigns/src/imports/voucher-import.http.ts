import { Body, Controller, HttpCode, Post } from '@nestjs/common';
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
import { type IdSource, type RequestContext, refuse } from '@scrip/kernel';
import { ItemTasks, type TaskInput } from '@scrip/tasks';
import { csvBodyWith, openCsvImport } from '@scrip/tasks/imports';
import { campaignsRefusals, type CampaignsRefusal } from '../campaigns.refusals';
import { ImportVoucherFile, ImportVouchers } from './import-vouchers.tasks';
import { ImportedVoucherBody } from './import.dto';
import { standaloneColumns } from './standalone-columns';
import type { StandaloneVoucher } from './standalone-voucher';
import { SentCodes } from './sent-codes';

const links = { getAsyncAction: { asyncActionId: '/async_action_id' } };

const fileBody = csvBodyWith({
  webhooks_enable: {
    type: 'string',
    enum: ['true', 'false'],
    description: 'Whether webhooks tell of each voucher that a row creates or names. Comes before `file`.',
  },
});

const failOn = (refusal: CampaignsRefusal | null): void => {
  if (refusal) throw new EdgeFailure(failureOfRefusal(refusal, [campaignsRefusals]));
};

/** Imports of standalone vouchers. Source: reference 04 §5. */
@Controller('/v1/vouchers')
@ContextOf('campaigns')
@Refusals(campaignsRefusals)
export class VoucherImportHttp {
  constructor(
    private readonly tasks: ItemTasks,
    private readonly importVouchers: ImportVouchers,
    private readonly importFile: ImportVoucherFile,
    private readonly sent: SentCodes,
  ) {}

  @Post('import')
  @HttpCode(202)
  @Operation({
    id: 'importVouchers',
    refuses: ['invalid_voucher'],
    links,
    summary: 'Creates standalone vouchers in the background',
    description:
      'Each is created as by a single call, without a campaign. A code that exists fails, and does not stop the others. No ' +
      'webhooks are sent.',
    body: listBody(ImportedVoucherBody),
    example: [
      { code: 'ALONE-1', type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
      { code: 'ALONE-2', type: 'GIFT_VOUCHER', gift: { amount: 5_000 } },
    ],
    answers: { 202: 'OrderedTaskResponse' },
  })
  import(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() body: unknown) {
    return this.tasks.enqueue(context, ids, this.importVouchers, this.inputs(body), { notify: false });
  }

  @Post('importCSV')
  @HttpCode(202)
  @Operation({
    id: 'importVouchersFile',
    refuses: [],
    links,
    summary: 'Creates the standalone vouchers of a file in the background',
    description:
      'Of a standalone voucher that exists, only `Active` and `Category` change. `Value` of amounts and gift cards is in major ' +
      'units: `14.5` is 1450. Columns that are no standard ones become metadata. A row that fails does not stop the others.',
    body: fileBody,
    example: {
      file:
        'Code,Voucher Type,Discount Type,Value,Redemption Limit,shop\nALONE-3,DISCOUNT_VOUCHER,PERCENT,10,1,Rome\n' +
        'ALONE-4,GIFT_VOUCHER,,50.00,,Rome\n',
    },
    answers: { 202: 'OrderedTaskResponse' },
  })
  async importCsv(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() body: unknown) {
    const { shared, flag, rows } = await openCsvImport(body, standaloneColumns);
    return this.tasks.enqueue(context, ids, this.importFile, rows, {
      ...shared,
      notify: flag('webhooks_enable'),
    });
  }

  private async *inputs(body: unknown): AsyncGenerator<TaskInput<StandaloneVoucher>> {
    if (Array.isArray(body)) {
      if (body.length === 0) failOn(refuse('invalid_payload', 'Payload should NOT have fewer than 1 items'));
      failOn(await this.sent.missing(body));
    }
    for (const { code, ...voucher } of eachInput(ImportedVoucherBody, body))
      yield { item: { code, body: voucher } };
  }
}
