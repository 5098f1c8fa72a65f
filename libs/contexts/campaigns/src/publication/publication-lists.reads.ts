import { Injectable } from '@nestjs/common';
import type { PublicationSnapshot } from '@scrip/contracts/campaigns';
import { type CustomersPort, customersPort } from '@scrip/contracts/customers';
import { type RequestContext, isRefused } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import { createdCursor, InjectListReader, type ListReader } from '@scrip/service';
import { type ListedPublicationResponse, renderListedPublication } from '@scrip/wire/campaigns';
import { type CustomerResponse, renderCustomer } from '@scrip/wire/customers';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { customerIdOf } from '../holder/named-customer';
import { Redeemables } from '../voucher/redeemables';
import type { PublicationState } from './publication.decider';
import {
  type ListedOf,
  type PublicationListQuery,
  publicationListStatements,
} from './publication-list.query';

/** A page of publications, and how many match. */
export interface PublicationPage {
  publications: ListedPublicationResponse[];
  total: number;
}

/** Pages of publications. Source: reference 04 §8.3. */
@Injectable()
export class PublicationLists {
  constructor(
    @InjectListReader('campaigns') private readonly lists: ListReader,
    @InjectPort(customersPort) private readonly customers: CustomersPort,
    private readonly redeemables: Redeemables,
  ) {}

  /** Those that fit the query. */
  async list(
    context: RequestContext,
    query: PublicationListQuery,
  ): Promise<PublicationPage | CampaignsRefusal> {
    const [customer_id, voucher_id] = await Promise.all([
      query.customer === undefined ? undefined : customerIdOf(this.customers, context, query.customer),
      query.voucher === undefined ? undefined : this.voucherIdOf(context, query.voucher),
    ]);
    return this.page(context, query, {
      ...(customer_id !== undefined && { customer_id }),
      ...(voucher_id !== undefined && { voucher_id }),
    });
  }

  /** Those of a voucher by code or id. Refuses `not_found`. */
  async ofVoucher(
    context: RequestContext,
    codeOrId: string,
    query: PublicationListQuery,
  ): Promise<PublicationPage | CampaignsRefusal> {
    const [found] = await this.redeemables.load(context, [codeOrId]);
    if (!found) throw new Error('a voucher was asked for and nothing answered');
    return isRefused(found) ? found : this.page(context, query, { voucher_id: found.voucher.id });
  }

  private async page(
    context: RequestContext,
    query: PublicationListQuery,
    of: ListedOf,
  ): Promise<PublicationPage | CampaignsRefusal> {
    const cursor = await createdCursor(this.lists, context, query, { tables: ['publications'] });
    if (isRefused(cursor)) return cursor;
    const statements = publicationListStatements(context.project, query, { ...of, cursor });
    if (isRefused(statements)) return statements;
    const { rows, total } = await this.lists.page<{ state: PublicationState }>(context, statements);
    const publications = rows.map(({ state }) => state.publication);
    const customers = await this.customersOf(context, publications);
    return {
      publications: publications.map((publication) =>
        renderListedPublication(publication, customers.get(publication.customer_id) ?? null),
      ),
      total,
    };
  }

  private async customersOf(
    context: RequestContext,
    publications: readonly PublicationSnapshot[],
  ): Promise<Map<string, CustomerResponse>> {
    const ids = [...new Set(publications.map(({ customer_id }) => customer_id))];
    if (ids.length === 0) return new Map();
    const customers = await this.customers.loadCustomers(context, { ids });
    const blocks = await this.customers.loadBlocks(context, { ids: customers.map(({ id }) => id) });
    return new Map(
      customers.map((customer, index) => [customer.id, renderCustomer(customer, blocks[index])]),
    );
  }

  private async voucherIdOf(context: RequestContext, sent: string): Promise<string> {
    const [found] = await this.redeemables.load(context, [sent]);
    return !found || isRefused(found) ? sent : found.voucher.id;
  }
}
