import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ContextOf, Ctx, Ids, Operation } from '@scrip/edge';
import type { IdSource, RequestContext } from '@scrip/kernel';
import { ItemTasks } from '@scrip/tasks';
import { csvBody, openCsvImport } from '@scrip/tasks/imports';
import { customerColumns } from './customer-columns';
import { ImportCustomers } from './import-customers.task';

/** Files of customers. Source: reference 07 §11. */
@Controller('/v1/customers')
@ContextOf('customers')
export class ImportHttp {
  constructor(
    private readonly tasks: ItemTasks,
    private readonly importCustomers: ImportCustomers,
  ) {}

  @Post('importCSV')
  @HttpCode(202)
  @Operation({
    id: 'importCustomers',
    refuses: [],
    links: { getAsyncAction: { asyncActionId: '/async_action_id' } },
    summary: 'Stores the customers of a file in the background',
    description:
      'A customer that a row names by `Id` or `Source_id` is overwritten completely, its metadata too; others are created. ' +
      'Columns that are no standard ones become metadata. A row that fails does not stop the others. No webhooks are sent.',
    body: csvBody,
    example: {
      file: 'Source_id,Name,Email,newsletter\nshop-4711,Ada Lovelace,ada@example.com,true\nshop-4712,Grace Hopper,,\n',
    },
    answers: { 202: 'OrderedTaskResponse' },
  })
  async importCustomersCsv(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() body: unknown) {
    const { shared, rows } = await openCsvImport(body, customerColumns);
    return this.tasks.enqueue(context, ids, this.importCustomers, rows, shared);
  }
}
