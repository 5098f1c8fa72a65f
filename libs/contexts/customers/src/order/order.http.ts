import { Body, Controller, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import type { OrderSnapshot } from '@scrip/contracts/customers';
import { ContextOf, Ctx, Ids, Operation, type RefusalTableOf, Refusals, listOf } from '@scrip/edge';
import { type IdSource, type Refusal, type RequestContext, isRefused } from '@scrip/kernel';
import { renderOrder } from '@scrip/wire/customers';
import { parsePayload } from '@scrip/wire/requests';
import { type OrderCallRefusalKey, OrderHandlers } from './order.handlers';
import { OrderListQuery } from './order-list.query';
import { OrderLists } from './order-lists.reads';
import { createOrderRequest, updateOrderRequest } from './order-requests';

const orderRefusals = {} satisfies RefusalTableOf<OrderCallRefusalKey>;

const answer = (order: OrderSnapshot | Refusal<OrderCallRefusalKey>) =>
  isRefused(order) ? order : renderOrder(order);

const example = {
  source_id: 'order-1',
  status: 'PAID',
  customer: { source_id: 'ada' },
  items: [{ product_id: 'prod_1', quantity: 2, price: 1_000 }],
};

/** Orders for servers. Source: reference 07 §5. */
@Controller('/v1/orders')
@ContextOf('customers')
@Refusals(orderRefusals)
export class OrderHttp {
  constructor(
    private readonly orders: OrderHandlers,
    private readonly lists: OrderLists,
  ) {}

  @Post()
  @HttpCode(200)
  @Operation({
    id: 'createOrder',
    refuses: [
      'invalid_payload',
      'metadata_validation_failed',
      'not_found',
      'duplicate_found',
      'multiple_requests',
    ],
    links: { getOrder: { orderId: '/id' }, updateOrder: { orderId: '/id' } },
    summary: 'Creates or changes an order',
    description:
      'Changes the order that `id` names, else the one that `source_id` names, else creates one. What is not sent stays.',
    body: createOrderRequest.schema,
    example,
    answers: { 200: 'OrderResponse' },
  })
  async create(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() body: unknown) {
    const request = parsePayload(createOrderRequest, body);
    return isRefused(request) ? request : answer(await this.orders.upsert(context, ids, request));
  }

  @Get()
  @Operation({
    id: 'listOrders',
    refuses: [],
    links: { getOrder: { orderId: '/orders/0/id' }, updateOrder: { orderId: '/orders/0/id' } },
    summary: 'Lists orders',
    description:
      'Oldest first, unless another order is asked for. Pages end at the 100th: longer lists go on with `starting_after_id`. ' +
      'An order that never changed counts as changed when it was created.',
    answers: { 200: { list: 'orders', of: 'OrderResponse', counts: ['total'] } },
  })
  async list(@Ctx() context: RequestContext, @Query() query: OrderListQuery) {
    const found = await this.lists.list(context, query);
    return isRefused(found) ? found : listOf('orders', found.orders.map(renderOrder), { total: found.total });
  }

  @Get(':orderId')
  @Operation({
    id: 'getOrder',
    refuses: ['not_found'],
    links: { updateOrder: { orderId: '/id' } },
    summary: 'Shows an order',
    description: 'Named by its id or its source id.',
    answers: { 200: 'OrderResponse' },
  })
  async get(@Ctx() context: RequestContext, @Param('orderId') idOrSourceId: string) {
    return answer(await this.orders.find(context, idOrSourceId));
  }

  @Put(':orderId')
  @Operation({
    id: 'updateOrder',
    refuses: [
      'invalid_payload',
      'metadata_validation_failed',
      'not_found',
      'duplicate_found',
      'multiple_requests',
    ],
    links: { getOrder: { orderId: '/id' } },
    summary: 'Changes an order',
    description: 'Named by its id or its source id. What is not sent stays; metadata is merged by its keys.',
    body: updateOrderRequest.schema,
    example: { status: 'FULFILLED', metadata: { parcel: 'P-1' } },
    answers: { 200: 'OrderResponse' },
  })
  async update(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Param('orderId') idOrSourceId: string,
    @Body() body: unknown,
  ) {
    const order = await this.orders.find(context, idOrSourceId);
    if (isRefused(order)) return order;
    const request = parsePayload(updateOrderRequest, body);
    return isRefused(request) ? request : answer(await this.orders.update(context, ids, order, request));
  }
}
