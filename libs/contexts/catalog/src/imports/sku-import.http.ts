import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ContextOf, Ctx, Ids, Operation } from '@scrip/edge';
import type { IdSource, RequestContext } from '@scrip/kernel';
import { ItemTasks } from '@scrip/tasks';
import { csvBody, openCsvImport } from '@scrip/tasks/imports';
import { ImportSkus } from './import-skus.task';
import { skuColumns } from './sku-columns';

/** Files of SKUs. Source: reference 07 §11. */
@Controller('/v1/skus')
@ContextOf('catalog')
export class SkuImportHttp {
  constructor(
    private readonly tasks: ItemTasks,
    private readonly importSkus: ImportSkus,
  ) {}

  @Post('importCSV')
  @HttpCode(200)
  @Operation({
    id: 'importSkus',
    refuses: [],
    links: { getAsyncAction: { asyncActionId: '/async_action_id' } },
    summary: 'Stores the SKUs of a file in the background',
    description:
      'Each belongs to the product whose id or source id stands in `product_id`. Prices are in major units: `14.5` is 1450. ' +
      'Of a SKU that is stored under the `source_id` of a row, only name and price change; others are created. Columns that ' +
      'are no standard ones become metadata. A row that fails does not stop the others.',
    body: csvBody,
    example: {
      file: `product_id,source_id,sku,price,attributes,stock\nshirt,file-sku-1,Blue shirt,27.00,{'color':'blue'},3\n`,
    },
    answers: { 200: 'OrderedTaskResponse' },
  })
  async importSkusCsv(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() body: unknown) {
    const { shared, rows } = await openCsvImport(body, skuColumns);
    return this.tasks.enqueue(context, ids, this.importSkus, rows, shared);
  }
}
