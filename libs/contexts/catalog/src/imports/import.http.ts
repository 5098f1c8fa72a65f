import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ContextOf, Ctx, Ids, Operation } from '@scrip/edge';
import type { IdSource, RequestContext } from '@scrip/kernel';
import { ItemTasks } from '@scrip/tasks';
import { csvBody, openCsvImport } from '@scrip/tasks/imports';
import { ImportProducts } from './import-products.task';
import { productColumns } from './product-columns';

/** Files of products. Source: reference 07 §11. */
@Controller('/v1/products')
@ContextOf('catalog')
export class ImportHttp {
  constructor(
    private readonly tasks: ItemTasks,
    private readonly importProducts: ImportProducts,
  ) {}

  @Post('importCSV')
  @HttpCode(200)
  @Operation({
    id: 'importProducts',
    refuses: [],
    links: { getAsyncAction: { asyncActionId: '/async_action_id' } },
    summary: 'Stores the products of a file in the background',
    description:
      'Prices are in major units: `14.5` is 1450. Of a product that is stored under the `source_id` of a row, only the name ' +
      'changes; others are created. Columns that are no standard ones become metadata. A row that fails does not stop the others.',
    body: csvBody,
    example: {
      file: 'name,source_id,price,attributes,genre\nNotes on the Engine,file-book-1,14.50,"binding,language",classic\n',
    },
    answers: { 200: 'OrderedTaskResponse' },
  })
  async importProductsCsv(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() body: unknown) {
    const { shared, rows } = await openCsvImport(body, productColumns);
    return this.tasks.enqueue(context, ids, this.importProducts, rows, shared);
  }
}
