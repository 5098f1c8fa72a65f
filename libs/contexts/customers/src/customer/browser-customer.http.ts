import { Body, Controller, Post } from '@nestjs/common';
import { type CustomerInput, type CustomerSnapshot, storedUnder } from '@scrip/contracts/customers';
import { ContextOf, Ctx, Ids, Operation } from '@scrip/edge';
import { type IdSource, type RequestContext, isRefused } from '@scrip/kernel';
import { renderCustomer } from '@scrip/wire/customers';
import { CustomerBody, inputOf } from './customer.dto';
import { CustomerHandlers } from './customer.handlers';
import { emptyProfile, mergeProfile, snapshotOf } from './customer-profile';

/** The customer as a browser sees it: what the call itself said, and its id. A client-side key is public, so that nothing that was
 *  stored before may be read with it. Source: reference 07 §2.3. */
export const shownToBrowser = (sent: CustomerInput, stored: CustomerSnapshot): CustomerSnapshot => {
  const { id, created_at, updated_at } = stored;
  const source_id = sent.source_id && sent.source_id === stored.source_id ? sent.source_id : null;
  return snapshotOf(id, { ...mergeProfile(emptyProfile, sent), source_id }, { created_at, updated_at });
};

/** Customers, for browsers. */
@Controller('client/v1/customers')
@ContextOf('customers')
export class BrowserCustomerHttp {
  constructor(private readonly customers: CustomerHandlers) {}

  @Post()
  @Operation({
    id: 'upsertCustomerFromBrowser',
    refuses: ['not_found', 'metadata_validation_failed'],
    summary: 'Creates a customer, or changes the one of that id or source id',
    description:
      'As POST /v1/customers, where the project lets browsers create customers. The answer has what was sent and the id: nothing ' +
      'of what was stored before.',
    example: { source_id: 'visitor-17', name: 'Ada Lovelace' },
    answers: { 200: 'CustomerResponse' },
  })
  async upsert(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() body: CustomerBody) {
    const { id, source_id, ...fields } = body;
    const sent: CustomerInput = {
      ...inputOf(fields),
      ...(id ? { id } : {}),
      ...(source_id ? { source_id } : {}),
    };
    const stored = await this.customers.resolve(context, {
      customer: sent,
      store: true,
      ...storedUnder(ids),
    });
    return isRefused(stored) ? stored : renderCustomer(shownToBrowser(sent, stored));
  }
}
