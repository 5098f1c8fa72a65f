import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { ContextOf, Ctx, Ids, IsFlag, listOf, Operation, Refusals } from '@scrip/edge';
import type { PublicationSnapshot } from '@scrip/contracts/campaigns';
import { type IdSource, type Refusal, type RequestContext, isRefused } from '@scrip/kernel';
import {
  type AssetIds,
  type PublicationResponse,
  renderPublication,
  renderPublicationToBrowser,
} from '@scrip/wire/campaigns';
import { renderCustomer } from '@scrip/wire/customers';
import { IsOptional } from 'class-validator';
import { ASSET_IDS } from '../assets/asset-ids.provider';
import { type CampaignsRefusal, campaignsRefusals } from '../campaigns.refusals';
import { PublicationQuery, readPublicationQuery } from './publication-query';
import { PublicationListQuery } from './publication-list.query';
import { PublicationLists, type PublicationPage } from './publication-lists.reads';
import { type PublicationRequest, publicationRequest, readPublicationRequest } from './publication-request';
import type { PublishedToCustomer } from './earlier-publications';
import { PublishHandlers } from './publish.handlers';

/** Query of POST /v1/publications. */
class PublishQuery {
  @IsOptional() @IsFlag() join_once?: boolean;
}

const publicationRefusals = [
  'missing_vouchers',
  'too_many_vouchers_requested',
  'metadata_validation_failed',
  'duplicate_source_id',
  'not_found',
  'invalid_campaign',
  'voucher_cannot_be_published',
  'voucher_already_published',
  'voucher_disabled',
  'no_voucher_suitable_for_publication',
  'multiple_requests',
] as const;

const listed = (page: PublicationPage | CampaignsRefusal) =>
  isRefused(page) ? page : listOf('publications', page.publications, { total: page.total });

/** Publications. Source: reference 04 §8. */
@Controller()
@ContextOf('campaigns')
@Refusals(campaignsRefusals)
export class PublicationHttp {
  constructor(
    private readonly publishing: PublishHandlers,
    private readonly lists: PublicationLists,
    @Inject(ASSET_IDS) private readonly assets: AssetIds,
  ) {}

  @Post(['v1/publications', 'client/v1/publish'])
  @HttpCode(200)
  @Operation({
    id: 'publish',
    refuses: ['invalid_payload', ...publicationRefusals],
    links: {
      getVoucher: { code: '/voucher/code' },
      listPublicationsOfVoucher: { code: '/voucher/code' },
      assignReferees: { memberId: '/voucher/code' },
      assignRefereesInCampaign: { campaignId: '/voucher/campaign_id', memberId: '/voucher/code' },
      listHolders: { memberId: '/voucher/code' },
      listHoldersInCampaign: { campaignId: '/voucher/campaign_id', memberId: '/voucher/code' },
      getCustomer: { customerId: '/customer_id' },
      listRedeemablesOfCustomer: { customerId: '/customer_id' },
    },
    summary: 'Publishes codes to a customer',
    description:
      'A given code, or free ones of a campaign, all or none. Send a `source_id`, so that a repetition after a lost answer ' +
      'publishes nothing again. Answers to browsers name no customer, and show what the call itself sent.',
    body: publicationRequest.schema,
    example: {
      campaign: { name: 'Spring', count: 1 },
      customer: { source_id: 'ada' },
      source_id: 'welcome-ada',
      metadata: { source: 'web' },
    },
    answers: { 200: 'PublicationResponse' },
  })
  async publish(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Query() { join_once: joinOnce = false }: PublishQuery,
    @Body() body: unknown,
  ) {
    return this.published(context, ids, readPublicationRequest(body), joinOnce);
  }

  @Get('v1/publications/create')
  @Operation({
    id: 'publishByQuery',
    refuses: publicationRefusals,
    summary: 'Publishes a code to a customer, by a query',
    description:
      'As POST /v1/publications, for integrations that can send GET only. Send a `source_id`, so that a repetition publishes ' +
      'nothing again.',
    answers: { 200: 'PublicationResponse' },
  })
  async publishByQuery(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Query() query: PublicationQuery,
  ) {
    return this.published(context, ids, readPublicationQuery(query), query.join_once ?? false);
  }

  @Get('v1/publications')
  @Operation({
    id: 'listPublications',
    refuses: [],
    links: { getCustomer: { customerId: '/publications/0/customer_id' } },
    summary: 'Lists publications, and attempts to publish',
    description:
      'By `source_id` it tells which code a publication of yours got. By pages, or further: `starting_after_id` goes on behind a ' +
      'publication, in the order of creation.',
    answers: { 200: { list: 'publications', of: 'ListedPublicationResponse', counts: ['total'] } },
  })
  async list(@Ctx() context: RequestContext, @Query() query: PublicationListQuery) {
    return listed(await this.lists.list(context, query));
  }

  @Get('v1/vouchers/:code/publications')
  @Operation({
    id: 'listPublicationsOfVoucher',
    refuses: ['not_found'],
    summary: 'Lists the publication of a voucher, and attempts to publish it',
    answers: { 200: { list: 'publications', of: 'ListedPublicationResponse', counts: ['total'] } },
  })
  async listOfVoucher(
    @Ctx() context: RequestContext,
    @Param('code') code: string,
    @Query() query: PublicationListQuery,
  ) {
    return listed(await this.lists.ofVoucher(context, code, query));
  }

  /** What was foreseen is rendered while it is written. */
  private async published(
    context: RequestContext,
    ids: IdSource,
    request: PublicationRequest | Refusal<string>,
    joinOnce: boolean,
  ) {
    if (isRefused(request)) return request;
    const foreseen = new WeakMap<PublicationSnapshot, PublicationResponse>();
    const published = await this.publishing.publish(context, ids, request, {
      joinOnce,
      foreseen: (one) => {
        try {
          foreseen.set(one.publication, this.rendered(context, request, one));
        } catch {
          // Rendered again below, where this call alone hears of it.
        }
      },
    });
    if (isRefused(published)) return published;
    return foreseen.get(published.publication) ?? this.rendered(context, request, published);
  }

  private rendered(
    context: RequestContext,
    request: PublicationRequest,
    { publication, vouchers, customer, blocks }: PublishedToCustomer,
  ): PublicationResponse {
    const assets = (code: string) => this.assets.of(context.project.id, code);
    if (blocks === null) {
      const { metadata, source_id, channel } = request;
      return renderPublicationToBrowser({
        publication: { ...publication, metadata, source_id, channel },
        vouchers,
        assets,
      });
    }
    return renderPublication({
      publication,
      vouchers,
      customer: renderCustomer(customer, blocks),
      assets,
    });
  }
}
