import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ContextOf, Ctx, eachInput, Ids, listBody, Operation } from '@scrip/edge';
import type { CustomerInput } from '@scrip/contracts/customers';
import { type IdSource, type RequestContext, refuse } from '@scrip/kernel';
import { ItemTasks, type TaskInput } from '@scrip/tasks';
import { inputOf } from '../customer/customer.dto';
import { BulkCustomerBody, BulkMetadataBody } from './bulk.dto';
import { UpdateCustomers } from './update-customers.task';
import { UpdateMetadata } from './update-metadata.task';

const links = { getAsyncAction: { asyncActionId: '/async_action_id' } };

/** One by one as they are stored: a body has up to 10 MB of them. */
function* inputsOf(body: unknown): Generator<TaskInput<CustomerInput & { source_id: string }>> {
  for (const { source_id, ...fields } of eachInput(BulkCustomerBody, body))
    yield { item: { ...inputOf(fields), source_id } };
}

/** Changes of many customers at once, by background tasks. Source: reference 07 §3, §10. */
@Controller('/v1/customers')
@ContextOf('customers')
export class BulkHttp {
  constructor(
    private readonly tasks: ItemTasks,
    private readonly updateCustomers: UpdateCustomers,
    private readonly updateMetadata: UpdateMetadata,
  ) {}

  @Post('bulk/async')
  @HttpCode(202)
  @Operation({
    id: 'updateCustomers',
    refuses: [],
    links,
    summary: 'Changes many customers, or creates them, in the background',
    description:
      'Each is named by its `source_id`. What is not sent of one stays as it is. One that fails does not stop the others. ' +
      'No webhooks are sent.',
    body: listBody(BulkCustomerBody),
    example: [
      { source_id: 'shop-4711', email: 'ada@example.com', metadata: { newsletter: true } },
      { source_id: 'shop-4712', name: 'Grace Hopper' },
    ],
    answers: { 202: 'OrderedTaskResponse' },
  })
  async bulk(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() body: unknown) {
    if (Array.isArray(body) && body.length === 0)
      return refuse('invalid_payload', 'Payload should NOT have fewer than 1 items');
    return this.tasks.enqueue(context, ids, this.updateCustomers, inputsOf(body), null);
  }

  @Post('metadata/async')
  @HttpCode(202)
  @Operation({
    id: 'updateCustomersMetadata',
    refuses: [],
    links,
    summary: 'Changes the metadata of many customers in the background',
    description:
      'Its keys are merged into the metadata of each customer. Customers that do not exist are created. No webhooks are sent.',
    example: { source_ids: ['shop-4711', 'shop-4712'], metadata: { tier: 'gold' } },
    answers: { 202: 'OrderedTaskResponse' },
  })
  metadata(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Body() { source_ids, metadata }: BulkMetadataBody,
  ) {
    const inputs = source_ids.map((item) => ({ item }));
    return this.tasks.enqueue(context, ids, this.updateMetadata, inputs, { metadata });
  }
}
