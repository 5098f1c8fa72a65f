import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { type CustomerSnapshot, storedUnder } from '@scrip/contracts/customers';
import { ContextOf, Ctx, Ids, Operation, listOf } from '@scrip/edge';
import { type IdSource, type Refusal, type RequestContext, isRefused } from '@scrip/kernel';
import { type CustomerResponse, renderCustomer, renderPermanentDeletion } from '@scrip/wire/customers';
import { CustomerBlocksReads } from '../summary/customer-blocks.reads';
import { CustomerListQuery } from './customer-list.query';
import { CustomerLists } from './customer-lists.reads';
import { CustomerBody, UpdateCustomerBody, inputOf } from './customer.dto';
import { CustomerErasures } from './customer-erasures';
import { CustomerHandlers } from './customer.handlers';

const links = {
  getCustomer: { customerId: '/id' },
  updateCustomer: { customerId: '/id' },
  deleteCustomer: { customerId: '/id' },
  eraseCustomer: { customerId: '/id' },
  listSegmentsOfCustomer: { customerId: '/id' },
  listActivityOfCustomer: { customerId: '/id' },
  listActivitiesOfCustomer: { customerId: '/id' },
};

/** Customers, named by id or source id. Source: reference 07 §3. */
@Controller('/v1/customers')
@ContextOf('customers')
export class CustomerHttp {
  constructor(
    private readonly customers: CustomerHandlers,
    private readonly erasures: CustomerErasures,
    private readonly lists: CustomerLists,
    private readonly blocks: CustomerBlocksReads,
  ) {}

  @Post()
  @Operation({
    id: 'upsertCustomer',
    refuses: ['not_found', 'metadata_validation_failed'],
    links,
    summary: 'Creates a customer, or changes the one of that id or source id',
    description:
      'With `id` the customer must exist, and `source_id` is ignored. Else `source_id` names it: it is changed, or created. ' +
      'With neither a customer is created. What is not sent stays as it is.',
    example: {
      source_id: 'shop-4711',
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      address: { city: 'London', country: 'GB' },
      metadata: { newsletter: true },
    },
    answers: { 200: 'CustomerResponse' },
  })
  async upsert(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() body: CustomerBody) {
    const { id, source_id, ...fields } = body;
    const customer = await this.customers.resolve(context, {
      customer: { ...inputOf(fields), ...(id ? { id } : {}), ...(source_id ? { source_id } : {}) },
      store: true,
      ...storedUnder(ids),
    });
    return isRefused(customer) ? customer : this.answer(context, customer);
  }

  @Get()
  @Operation({
    id: 'listCustomers',
    refuses: [],
    links: { getCustomer: { customerId: '/customers/0/id' } },
    summary: 'Lists customers',
    description:
      '`email`, `name` and `city` are equal to what is sent, case-sensitive. Pages end at the 99th: longer lists go on with ' +
      '`starting_after_id`. A customer that never changed counts as changed when it was created.',
    answers: { 200: { list: 'customers', of: 'CustomerResponse', counts: ['total', 'has_more'] } },
  })
  async list(@Ctx() context: RequestContext, @Query() query: CustomerListQuery) {
    const page = await this.lists.list(context, query);
    if (isRefused(page)) return page;
    const customers = await Promise.all(page.customers.map((customer) => this.answer(context, customer)));
    return listOf('customers', customers, { total: page.total, has_more: page.hasMore });
  }

  @Get(':customerId')
  @Operation({
    id: 'getCustomer',
    refuses: [],
    links: {
      updateCustomer: { customerId: '/id' },
      deleteCustomer: { customerId: '/id' },
      giveConsents: { customerId: '/id' },
      clientGiveConsents: { customerId: '/id' },
    },
    summary: 'Shows a customer',
    description: 'Named by its id or its source id.',
    answers: { 200: 'CustomerResponse' },
  })
  async get(@Ctx() context: RequestContext, @Param('customerId') idOrSourceId: string) {
    const customer = await this.customers.get(context, idOrSourceId);
    return isRefused(customer) ? customer : this.answer(context, customer);
  }

  @Put(':customerId')
  @Operation({
    id: 'updateCustomer',
    refuses: ['metadata_validation_failed'],
    summary: 'Changes a customer',
    description:
      'Named by its id or its source id. Changes what is sent: `metadata` key by key, `address` as a whole; null clears.',
    example: { phone: '+48 500 100 200', metadata: { newsletter: false } },
    answers: { 200: 'CustomerResponse' },
  })
  async update(
    @Ctx() context: RequestContext,
    @Param('customerId') idOrSourceId: string,
    @Body() body: UpdateCustomerBody,
  ) {
    const customer = await this.customers.update(context, idOrSourceId, inputOf(body));
    return isRefused(customer) ? customer : this.answer(context, customer);
  }

  @Post(':customerId/permanent-deletion')
  @Operation({
    id: 'eraseCustomer',
    refuses: ['not_found'],
    summary: 'Deletes a customer for good',
    description:
      'Named by its id, also after DELETE, or by the source id of a live customer. Its personal data can never be read again, ' +
      'here or in later backups. Done once: then the customer is unknown.',
    answers: { 200: 'PermanentDeletionResponse' },
  })
  async erase(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Param('customerId') idOrSourceId: string,
  ) {
    const erasure = await this.erasures.erase(context, idOrSourceId, ids.next('del_', 'deletion'));
    return isRefused(erasure) ? erasure : renderPermanentDeletion(erasure);
  }

  @Delete(':customerId')
  @HttpCode(204)
  @Operation({
    id: 'deleteCustomer',
    refuses: [],
    summary: 'Deletes a customer',
    description: 'Its source id can be used again. Redemptions keep its id.',
    answers: { 204: null },
  })
  async delete(
    @Ctx() context: RequestContext,
    @Param('customerId') idOrSourceId: string,
  ): Promise<Refusal<'not_found'> | undefined> {
    return (await this.customers.delete(context, idOrSourceId)) ?? undefined;
  }

  private async answer({ project }: RequestContext, customer: CustomerSnapshot): Promise<CustomerResponse> {
    return renderCustomer(customer, await this.blocks.of({ projectId: project.id, id: customer.id }));
  }
}
