import { Injectable } from '@nestjs/common';
import type { CampaignSnapshot, PublicationSnapshot, VoucherSnapshot } from '@scrip/contracts/campaigns';
import { type CustomerSnapshot, type CustomersPort, customersPort } from '@scrip/contracts/customers';
import { type RequestContext, isFromBrowser, isRefused, refuse } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import type { CustomerBlocks } from '@scrip/wire/customers';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { Redeemables } from '../voucher/redeemables';
import { heardLater } from './heard-later';
import { PublicationReads } from './publication.reads';
import { type PublicationRequest, tooManyVouchers } from './publication-request';
import type { FailureKey } from './publication-try';
import { repeats } from './repetition';

/** What a publication answers. */
export interface PublishedToCustomer {
  publication: PublicationSnapshot;
  /** The vouchers as they stand, without those that were deleted since. */
  vouchers: VoucherSnapshot[];
  customer: CustomerSnapshot;
  /** Null for a browser, whose answer names no customer. */
  blocks: CustomerBlocks | null;
}

/** Answers with publications that are stored. Source: reference 04 §8.1, §8.2. */
@Injectable()
export class EarlierPublications {
  constructor(
    @InjectPort(customersPort) private readonly customers: CustomersPort,
    private readonly reads: PublicationReads,
    private readonly redeemables: Redeemables,
  ) {}

  /** The answer where the source id was used before, else null: what was published then to the same request, or a refusal. */
  async bySourceId(
    context: RequestContext,
    { source, source_id, customer: named }: PublicationRequest,
  ): Promise<PublishedToCustomer | CampaignsRefusal | null> {
    const stored = source_id === null ? undefined : await this.reads.bySourceId(context, source_id);
    if (!stored) return null;
    const customer = await this.customers.resolve(context, { customer: named, store: false, new_id: '' });
    const isSame = !isRefused(customer) && customer.id === stored.customer_id;
    return isSame && repeats(source, stored, context.project)
      ? this.answerOf(context, stored, customer)
      : refuse('duplicate_source_id', `Publication with source_id: '${source_id}' already exists`);
  }

  /** The answer to several codes of a campaign that is joined once: what its customer joined it by. Who has not joined it gets none,
   *  and is not stored. */
  async ofMember(
    context: RequestContext,
    { id: campaign_id }: CampaignSnapshot,
    { customer: named }: PublicationRequest,
  ): Promise<PublishedToCustomer | CampaignsRefusal> {
    const customer = await this.customers.resolve(context, { customer: named, store: false, new_id: '' });
    if (isRefused(customer)) return tooManyVouchers();
    const earlier = await this.reads.firstOf(context, { campaign_id, customer_id: customer.id });
    return earlier === undefined ? tooManyVouchers() : this.byId(context, earlier, customer);
  }

  /** The answer of a publication that was written. */
  async byId(
    context: RequestContext,
    id: string,
    customer: CustomerSnapshot,
  ): Promise<PublishedToCustomer | CampaignsRefusal> {
    const stored = await this.reads.find(context, id);
    if (!stored) throw new Error(`publication ${id} was written and is not there`);
    return this.answerOf(context, stored, customer);
  }

  /** What a stored publication answers, with its vouchers and its customer as they are now. */
  async answerOf(
    context: RequestContext,
    publication: PublicationSnapshot,
    customer: CustomerSnapshot,
  ): Promise<PublishedToCustomer | CampaignsRefusal> {
    if (publication.result === 'FAILURE') {
      return refuse(publication.failure_code as FailureKey, publication.failure_message ?? undefined);
    }
    const blocks = this.blocksOf(context, customer);
    const found = await this.redeemables.load(
      context,
      publication.vouchers.map(({ id }) => id),
    );
    const vouchers = found.flatMap((one) => (isRefused(one) ? [] : one.voucher));
    return { publication, vouchers, customer, blocks: await blocks };
  }

  /** What the answer shows beside the customer; read while something else is under way. */
  blocksOf(context: RequestContext, { id }: CustomerSnapshot): Promise<CustomerBlocks | null> {
    if (isFromBrowser(context)) return Promise.resolve(null);
    return heardLater(this.customers.loadBlocks(context, { ids: [id] }).then(([only]) => only!));
  }
}
