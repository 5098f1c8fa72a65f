import { Injectable } from '@nestjs/common';
import type { CampaignSnapshot, PublicationEvent, VoucherSnapshot } from '@scrip/contracts/campaigns';
import {
  type CustomerInput,
  type CustomerSnapshot,
  type CustomersPort,
  customersPort,
  storedUnder,
} from '@scrip/contracts/customers';
import {
  type AggregateStore,
  EventTooLarge,
  type EventStore,
  InjectEventStore,
  UniqueViolation,
} from '@scrip/event-store';
import {
  type BusinessClock,
  type IdSource,
  type Refusal,
  type RequestContext,
  isFromBrowser,
  isRefused,
  refuse,
} from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import { InjectPort } from '@scrip/rpc';
import { InjectBusinessClock } from '@scrip/service';
import type { CustomerBlocks } from '@scrip/wire/customers';
import { type CampaignsRefusal, campaignsRefusals } from '../campaigns.refusals';
import { CampaignReads } from '../campaign/campaign.reads';
import { isWorthRepeating } from '../commits/repeating';
import { Redeemables } from '../voucher/redeemables';
import { CodeSupply } from './code-supply';
import { EarlierPublications, type PublishedToCustomer } from './earlier-publications';
import { heardLater } from './heard-later';
import { publicationAggregate } from './publication.aggregate';
import { failPublication, type PublicationState } from './publication.decider';
import { PublicationReads } from './publication.reads';
import type { PublicationRequest } from './publication-request';
import { PublishingLanes } from './publishing-lanes';
import type { FailureKey, Published, Publishing, Supply, Tried } from './publication-try';

/** What to publish from. `voucher`: the one that is named. */
interface Source {
  voucher: VoucherSnapshot | null;
  campaign: CampaignSnapshot | null;
}

/** What came of a publication; `sourceIdTaken`: another call used its source id first. */
type Outcome =
  | Exclude<Tried, { short: number }>
  | { sourceIdTaken: true }
  | Refusal<'invalid_payload' | 'multiple_requests'>;

/** How often a publication is tried where other calls get in its way or its commit is lost. */
const triesMax = 10;

const failureKeys: ReadonlySet<string> = new Set<FailureKey>([
  'voucher_cannot_be_published',
  'voucher_already_published',
  'voucher_disabled',
  'no_voucher_suitable_for_publication',
]);

const isFailure = (refusal: CampaignsRefusal): refusal is Refusal<FailureKey> =>
  failureKeys.has(refusal.refused);

/** Publishes vouchers. Source: reference 04 §8.1. */
@Injectable()
export class PublishHandlers {
  private readonly publications: AggregateStore<PublicationState, PublicationEvent>;

  constructor(
    @InjectEventStore('campaigns') store: EventStore,
    @InjectPort(customersPort) private readonly customers: CustomersPort,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly metadata: MetadataSchemas,
    private readonly campaigns: CampaignReads,
    private readonly reads: PublicationReads,
    private readonly redeemables: Redeemables,
    private readonly supply: CodeSupply,
    private readonly lanes: PublishingLanes,
    private readonly earlier: EarlierPublications,
  ) {
    this.publications = store.aggregate(publicationAggregate);
  }

  /** Checks in the order of reference 04 §8.1, from step 4 on. Repeated under the same ids it answers the publication that exists.
   *  `foreseen`: told what it will answer while that is written, so that it is rendered by then; it counts where the same
   *  publication is returned. */
  async publish(
    context: RequestContext,
    ids: IdSource,
    request: PublicationRequest,
    { joinOnce, foreseen }: { joinOnce: boolean; foreseen: (published: PublishedToCustomer) => void },
  ): Promise<PublishedToCustomer | CampaignsRefusal> {
    const misfit = (await this.metadata.checkOf(context, 'publication'))(request.metadata);
    if (misfit) return misfit;
    // All of these only read. They begin together, the longest first, and are awaited in the order of the reference.
    const known = this.knownCustomer(context, request.customer);
    const looking = heardLater(this.sourceOf(context, request));
    const repeated = await this.earlier.bySourceId(context, request);
    if (repeated) return repeated;
    const source = await looking;
    if (isRefused(source)) return source;
    const { campaign } = source;
    if (campaign?.join_once && 'campaign' in request.source && request.source.count > 1)
      return this.earlier.ofMember(context, campaign, request);
    const found = await known;
    const customer = found?.customer ?? (await this.customerOf(context, ids, request));
    if (isRefused(customer)) return customer;
    const blocks = isFromBrowser(context)
      ? null
      : (found?.blocks ?? this.earlier.blocksOf(context, customer));
    const answerOf = (
      { published: publication, vouchers }: Published,
      shown: CustomerBlocks | null,
    ): PublishedToCustomer => ({ publication, vouchers, customer, blocks: shown });
    const publishing: Publishing = {
      id: ids.next('pub_', 'publication'),
      customer_id: customer.id,
      request,
      campaign,
      voucherId: source.voucher?.id ?? null,
      joinOnce,
      now: this.clock.now(context.project),
      ...(blocks instanceof Promise
        ? {}
        : { foreseen: (published) => foreseen(answerOf(published, blocks)) }),
    };
    const outcome = await this.outcomeOf(context, publishing);
    if (isRefused(outcome)) return this.refused(context, publishing, { source, customer, refusal: outcome });
    if ('sourceIdTaken' in outcome) return (await this.earlier.bySourceId(context, request)) ?? busy();
    if ('earlier' in outcome) return this.earlier.byId(context, outcome.earlier, customer);
    return answerOf(outcome, await blocks);
  }

  private async sourceOf(
    context: RequestContext,
    { source }: PublicationRequest,
  ): Promise<Source | CampaignsRefusal> {
    if ('voucher' in source) {
      const [found] = await this.redeemables.load(context, [source.voucher]);
      if (!found) throw new Error('a voucher was asked for and nothing answered');
      return found;
    }
    const campaign = await this.campaigns.findUncounted(context, source.campaign);
    if (isRefused(campaign)) return campaign;
    return campaign.voucher
      ? { voucher: null, campaign }
      : refuse('invalid_campaign', `You can not publish vouchers of ${campaign.campaign_type} campaign.`);
  }

  /** The customer where only its id or only its source id is sent and it is there, else null: nothing has to be stored then. Never
   *  throws: the source is refused first. */
  private async knownCustomer(
    context: RequestContext,
    { id, source_id, ...others }: CustomerInput,
  ): ReturnType<CustomersPort['findWithBlocks']> {
    const names = [...(id ? [{ id }] : []), ...(source_id ? [{ source_id }] : [])];
    const [name] = names;
    if (!name || names.length > 1 || Object.values(others).some((value) => value !== undefined)) return null;
    return this.customers.findWithBlocks(context, { name }).catch(() => null); // the call that stores meets the same, and throws it
  }

  private async customerOf(
    context: RequestContext,
    ids: IdSource,
    { customer }: PublicationRequest,
  ): Promise<CustomerSnapshot | CampaignsRefusal> {
    // Each call would store a useless new customer.
    if (context.inlineCustomersOnlyIdentify && !customer.id && !customer.source_id) {
      return refuse('invalid_payload', "Property .customer should have required property 'source_id'");
    }
    return this.customers.resolve(context, { customer, store: true, ...storedUnder(ids) });
  }

  private async outcomeOf(context: RequestContext, publishing: Publishing): Promise<Outcome> {
    let supply: Supply = await this.supply.first(context, publishing);
    for (let tries = 1; ; tries += 1) {
      const tried = await this.tryOnce(context, publishing, supply).catch((error: unknown) => {
        if (!isWorthRepeating(error) || tries >= triesMax) throw error;
        return null;
      });
      if (tried === null) continue;
      if (isRefused(tried) || !('short' in tried)) return tried;
      if (tries >= triesMax) return busy();
      const more = await this.supply.more(context, publishing, { supply, missing: tried.short });
      if (isRefused(more)) return more;
      supply = more;
    }
  }

  private async tryOnce(
    context: RequestContext,
    publishing: Publishing,
    supply: Supply,
  ): Promise<Outcome | { short: number }> {
    try {
      return await this.lanes.run({ context, publishing, supply });
    } catch (error) {
      if (error instanceof EventTooLarge) {
        return refuse('invalid_payload', 'Property .campaign.count is too large for what the vouchers hold');
      }
      if (!(error instanceof UniqueViolation)) throw error;
      // The end of an earlier try was lost with its connection, and it was a commit; or another execution of the call was first.
      if (error.constraint === 'publications_pkey') return { earlier: publishing.id };
      if (error.constraint === 'publications_source_id') return { sourceIdTaken: true };
      if (error.constraint === 'vouchers_code_key') return { short: 1 };
      throw error;
    }
  }

  /** Stores a refusal as a failed publication, where the reference says so. */
  private async refused(
    context: RequestContext,
    publishing: Publishing,
    { source, customer, refusal }: { source: Source; customer: CustomerSnapshot; refusal: CampaignsRefusal },
  ): Promise<PublishedToCustomer | CampaignsRefusal> {
    const own = await this.reads.find(context, publishing.id);
    if (own?.result === 'SUCCESS') return this.earlier.answerOf(context, own, customer);
    if (own || !isFailure(refusal)) return refusal;
    const failure = {
      code: refusal.refused,
      message: refusal.details ?? campaignsRefusals[refusal.refused].message,
    };
    const failed = failPublication({
      ...publishing,
      voucher: source.voucher,
      failure,
      now: publishing.now.toISOString(),
    });
    await this.publications.createTogether(context, [{ streamId: publishing.id, events: [failed] }]);
    return refusal;
  }
}

/** In every try other calls were first. */
const busy = () => refuse('multiple_requests', 'Other publications are under way');
