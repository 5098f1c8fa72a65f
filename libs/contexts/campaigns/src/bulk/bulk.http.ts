import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ContextOf, Ctx, eachInput, Ids, listBody, Operation, Refusals } from '@scrip/edge';
import { type IdSource, type RequestContext, refuse } from '@scrip/kernel';
import { ItemTasks, type TaskInput } from '@scrip/tasks';
import { campaignsRefusals } from '../campaigns.refusals';
import { BulkVoucherMetadataBody, BulkVoucherBody } from './bulk.dto';
import { UpdateVouchers, UpdateVouchersMetadata } from './voucher-metadata.tasks';

const links = { getAsyncAction: { asyncActionId: '/async_action_id' } };

/** One by one as they are stored: a body of 10 MB has a hundred thousand of them. */
function* itemsOf(body: unknown): Generator<TaskInput<BulkVoucherBody>> {
  for (const { code, metadata } of eachInput(BulkVoucherBody, body)) yield { item: { code, metadata } };
}

/** Changes of the metadata of many vouchers at once, by background tasks. Source: reference 04 §5, 07 §10. */
@Controller('/v1/vouchers')
@ContextOf('campaigns')
@Refusals(campaignsRefusals)
export class VoucherBulkHttp {
  constructor(
    private readonly tasks: ItemTasks,
    private readonly updateVouchers: UpdateVouchers,
    private readonly updateMetadata: UpdateVouchersMetadata,
  ) {}

  @Post('bulk/async')
  @HttpCode(202)
  @Operation({
    id: 'updateVouchers',
    refuses: [],
    links,
    summary: 'Changes the metadata of many vouchers, each its own, in the background',
    description:
      'The keys are merged into the metadata of each voucher. A code that does not exist fails, and does not stop the others. ' +
      'No webhooks are sent.',
    body: listBody(BulkVoucherBody),
    example: [
      { code: 'SPRING-1', metadata: { shop: 'Rome' } },
      { code: 'SPRING-2', metadata: { shop: 'Paris' } },
    ],
    answers: { 202: 'OrderedTaskResponse' },
  })
  async bulk(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() body: unknown) {
    if (Array.isArray(body) && body.length === 0)
      return refuse('invalid_payload', 'Payload should NOT have fewer than 1 items');
    return this.tasks.enqueue(context, ids, this.updateVouchers, itemsOf(body), null);
  }

  @Post('metadata/async')
  @HttpCode(202)
  @Operation({
    id: 'updateVouchersMetadata',
    refuses: [],
    links,
    summary: 'Changes the metadata of many vouchers in the background',
    description:
      'Its keys are merged into the metadata of each voucher. A code that does not exist fails, and does not stop the others. ' +
      'No webhooks are sent.',
    example: { codes: ['SPRING-1', 'SPRING-2'], metadata: { shop: 'Rome' } },
    answers: { 202: 'OrderedTaskResponse' },
  })
  metadata(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Body() { codes, metadata }: BulkVoucherMetadataBody,
  ) {
    const inputs = codes.map((item) => ({ item }));
    return this.tasks.enqueue(context, ids, this.updateMetadata, inputs, { metadata });
  }
}
