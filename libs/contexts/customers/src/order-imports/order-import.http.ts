import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ContextOf, Ctx, Ids, Operation, portionsOfList } from '@scrip/edge';
import { type IdSource, isRefused, type Refusal, type RequestContext } from '@scrip/kernel';
import { ItemTasks } from '@scrip/tasks';
import { listOf, parsePayload } from '@scrip/wire/requests';
import { createOrderRequest } from '../order/order-requests';
import { ImportOrders } from './import-orders.task';

const ordersMax = 2_000;

const orders = listOf(createOrderRequest, { least: 1, most: ordersMax });

type Order = ReturnType<typeof createOrderRequest>;

const isRead = (body: unknown): body is unknown[] =>
  Array.isArray(body) && body.length > 0 && body.length <= ordersMax;

/** The orders of a body: of a large one by portions, between which the process serves others. */
const ordersOf = async (body: unknown): Promise<Order[] | Refusal<'invalid_payload'>> => {
  if (!isRead(body)) return parsePayload(orders, body);
  const read: Order[] = [];
  for await (const { from, elements } of portionsOfList(body))
    for (const [index, element] of elements.entries()) {
      const order = parsePayload((value) => createOrderRequest(value, `[${from + index}]`), element);
      if (isRefused(order)) return order;
      read.push(order);
    }
  return read;
};

/** Orders of the past. Source: reference 07 §5. */
@Controller('/v1/orders')
@ContextOf('customers')
export class OrderImportHttp {
  constructor(
    private readonly tasks: ItemTasks,
    private readonly importOrders: ImportOrders,
  ) {}

  @Post('import')
  @HttpCode(200)
  @Operation({
    id: 'importOrders',
    refuses: ['invalid_payload'],
    links: { getAsyncAction: { asyncActionId: '/async_action_id' } },
    summary: 'Stores orders of the past in the background',
    description:
      'Each is created at the time of the import. An order that exists fails, and stops no other. Customers and referrers are ' +
      'stored as by single calls. No webhooks are sent. One import of a project runs at a time.',
    body: orders.schema,
    example: [
      {
        source_id: 'past-1',
        status: 'FULFILLED',
        customer: { source_id: 'shop-4711' },
        items: [{ source_id: 'book-1', related_object: 'product', quantity: 2, price: 1_450 }],
      },
    ],
    answers: { 200: 'OrderedTaskResponse' },
  })
  async import(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() body: unknown) {
    const requests = await ordersOf(body);
    if (isRefused(requests)) return requests;
    return this.tasks.enqueue(
      context,
      ids,
      this.importOrders,
      requests.map((item) => ({ item })),
      null,
    );
  }
}
