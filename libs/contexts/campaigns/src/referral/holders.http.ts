import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ContextOf, Ctx, Ids, listOf, Operation, Refusals } from '@scrip/edge';
import { type IdSource, type RequestContext, isRefused } from '@scrip/kernel';
import { renderListedHolder } from '@scrip/wire/campaigns';
import { type CampaignsRefusal, type CampaignsRefusalKey, campaignsRefusals } from '../campaigns.refusals';
import { HolderListQuery } from '../holder/holders-of-code.query';
import { HolderLists } from '../holder/holder-lists.reads';
import { holdersRequest, readHoldersRequest } from './holders-request';
import { RefereeHandlers } from './referees.handlers';
import type { NamedMember } from './referral-codes.reads';

const assigning = {
  refuses: [
    'invalid_payload',
    'not_found',
    'not_published',
    'metadata_validation_failed',
    'duplicate_found',
    'holder_assignement_duplication',
  ] satisfies CampaignsRefusalKey[],
  body: holdersRequest.schema,
  example: { holders: [{ source_id: 'bea', name: 'Bea' }], metadata: { party: 'spring' } },
  answers: { 200: 'AssignedHoldersResponse' },
};

const listing = {
  refuses: ['not_found'] satisfies CampaignsRefusalKey[],
  answers: {
    200: { list: 'data', of: 'ListedHolderResponse', counts: ['total', 'has_more', 'more_starting_after'] },
  },
} as const;

const removing = {
  refuses: ['not_found', 'forbidden'] satisfies CampaignsRefusalKey[],
  answers: { 204: null },
};

/** The customers who have a part in a referral code. Source: reference 04 §11. */
@Controller('/v1/referrals')
@ContextOf('campaigns')
@Refusals(campaignsRefusals)
export class HoldersHttp {
  constructor(
    private readonly referees: RefereeHandlers,
    private readonly lists: HolderLists,
  ) {}

  @Post('members/:memberId/holders')
  @HttpCode(200)
  @Operation({
    ...assigning,
    id: 'assignReferees',
    summary: 'Adds referees to a referral code',
    description:
      'All customers or none. They are created, or changed, where they are sent with more than their names.',
    links: {
      listHolders: { memberId: '/holders/0/redeemable_id' },
      removeReferee: { memberId: '/holders/0/redeemable_id', holderId: '/holders/0/id' },
    },
  })
  assign(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Param('memberId') member: string,
    @Body() body: unknown,
  ) {
    return this.assigned(context, ids, { member, campaign: null }, body);
  }

  @Post(':campaignId/members/:memberId/holders')
  @HttpCode(200)
  @Operation({
    ...assigning,
    id: 'assignRefereesInCampaign',
    summary: 'Adds referees to a referral code of a campaign',
    description: 'As the call without the campaign; a code of another campaign is unknown.',
    links: {
      removeRefereeInCampaign: {
        campaignId: '/holders/0/campaign_id',
        memberId: '/holders/0/redeemable_id',
        holderId: '/holders/0/id',
      },
    },
  })
  assignInCampaign(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Param('campaignId') campaign: string,
    @Param('memberId') member: string,
    @Body() body: unknown,
  ) {
    return this.assigned(context, ids, { member, campaign }, body);
  }

  @Get('members/:memberId/holders')
  @Operation({
    ...listing,
    id: 'listHolders',
    summary: 'Lists the referrer and the referees of a referral code',
    links: { getCustomer: { customerId: '/data/0/customer_id' } },
  })
  list(@Ctx() context: RequestContext, @Param('memberId') member: string, @Query() query: HolderListQuery) {
    return this.listed(context, { member, campaign: null }, query);
  }

  @Get(':campaignId/members/:memberId/holders')
  @Operation({
    ...listing,
    id: 'listHoldersInCampaign',
    summary: 'Lists the referrer and the referees of a referral code of a campaign',
  })
  listInCampaign(
    @Ctx() context: RequestContext,
    @Param('campaignId') campaign: string,
    @Param('memberId') member: string,
    @Query() query: HolderListQuery,
  ) {
    return this.listed(context, { member, campaign }, query);
  }

  @Delete('members/:memberId/holders/:holderId')
  @HttpCode(204)
  @Operation({
    ...removing,
    id: 'removeReferee',
    summary: 'Takes a referee off a referral code',
    description: 'What the customer was referred for stays.',
  })
  remove(
    @Ctx() context: RequestContext,
    @Param('memberId') member: string,
    @Param('holderId') holderId: string,
  ) {
    return this.removed(context, { member, campaign: null }, holderId);
  }

  @Delete(':campaignId/members/:memberId/holders/:holderId')
  @HttpCode(204)
  @Operation({
    ...removing,
    id: 'removeRefereeInCampaign',
    summary: 'Takes a referee off a referral code of a campaign',
  })
  removeInCampaign(
    @Ctx() context: RequestContext,
    @Param('campaignId') campaign: string,
    @Param('memberId') member: string,
    @Param('holderId') holderId: string,
  ) {
    return this.removed(context, { member, campaign }, holderId);
  }

  private async assigned(context: RequestContext, ids: IdSource, named: NamedMember, body: unknown) {
    const request = readHoldersRequest(body);
    if (isRefused(request)) return request;
    const holders = await this.referees.assign(context, ids, named, request);
    return isRefused(holders) ? holders : { holders: holders.map(renderListedHolder) };
  }

  private async listed(context: RequestContext, named: NamedMember, query: HolderListQuery) {
    const page = await this.lists.ofCode(context, named, query);
    if (isRefused(page)) return page;
    const last = page.holders.at(-1);
    return listOf('data', page.holders.map(renderListedHolder), {
      total: page.total,
      has_more: page.hasMore,
      ...(page.hasMore && last ? { more_starting_after: last.id } : {}),
    });
  }

  private async removed(
    context: RequestContext,
    named: NamedMember,
    holderId: string,
  ): Promise<CampaignsRefusal | undefined> {
    return (await this.referees.unassign(context, named, holderId)) ?? undefined;
  }
}
