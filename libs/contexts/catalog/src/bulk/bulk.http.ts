import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ContextOf, Ctx, eachInput, Ids, listBody, Operation } from '@scrip/edge';
import { type IdSource, type RequestContext, refuse } from '@scrip/kernel';
import { ItemTasks, type TaskInput } from '@scrip/tasks';
import { fieldsOf } from '../product/product.http';
import type { ProductItem } from './store-products';
import { BulkProductBody, BulkProductMetadataBody } from './bulk.dto';
import { UpdateMetadata } from './update-metadata.task';
import { UpdateProducts } from './update-products.task';

const links = { getAsyncAction: { asyncActionId: '/async_action_id' } };

/** One by one as they are stored: a body has up to 10 MB of them. */
function* inputsOf(body: unknown): Generator<TaskInput<ProductItem>> {
  for (const { source_id, ...said } of eachInput(BulkProductBody, body))
    yield { item: { source_id, fields: fieldsOf(said) } };
}

/** Changes of many products at once, by background tasks. Source: reference 07 §6, §10. */
@Controller('/v1/products')
@ContextOf('catalog')
export class BulkHttp {
  constructor(
    private readonly tasks: ItemTasks,
    private readonly updateProducts: UpdateProducts,
    private readonly updateMetadata: UpdateMetadata,
  ) {}

  @Post('bulk/async')
  @HttpCode(202)
  @Operation({
    id: 'updateProducts',
    refuses: [],
    links,
    summary: 'Changes many products, or creates them, in the background',
    description:
      'Each is named by its `source_id`. What is not sent of one stays as it is. One that fails does not stop the others.',
    body: listBody(BulkProductBody),
    example: [
      { source_id: 'shirt', price: 2_300, metadata: { season: 'summer' } },
      { source_id: 'mug', name: 'Mug', price: 900 },
    ],
    answers: { 202: 'OrderedTaskResponse' },
  })
  async bulk(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() body: unknown) {
    if (Array.isArray(body) && body.length === 0)
      return refuse('invalid_payload', 'Payload should NOT have fewer than 1 items');
    return this.tasks.enqueue(context, ids, this.updateProducts, inputsOf(body), null);
  }

  @Post('metadata/async')
  @HttpCode(202)
  @Operation({
    id: 'updateProductsMetadata',
    refuses: [],
    links,
    summary: 'Changes the metadata of many products in the background',
    description:
      'Its keys are merged into the metadata of each product. Products that do not exist are created.',
    example: { source_ids: ['shirt', 'mug'], metadata: { season: 'summer' } },
    answers: { 202: 'OrderedTaskResponse' },
  })
  metadata(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Body() { source_ids, metadata }: BulkProductMetadataBody,
  ) {
    const inputs = source_ids.map((item) => ({ item }));
    return this.tasks.enqueue(context, ids, this.updateMetadata, inputs, { metadata });
  }
}
