import { Injectable } from '@nestjs/common';
import {
  type CampaignSnapshot,
  type CampaignsPort,
  campaignsPort,
  loadAllQualifying,
  type RedeemableVoucher,
} from '@scrip/contracts/campaigns';
import { isRefused, newId, type RequestContext } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import { AssignmentReads } from '../assignment/assignment.reads';
import type { CandidateKind } from '../candidates/candidate';
import type { QualificationRefusal } from '../qualification.refusals';
import {
  type CandidateSearch,
  CandidateSearches,
  examinedMax,
  type Found,
  type Sought,
} from '../qualifying/candidate-search';
import { assignmentsOf, listsByObject } from '../qualifying/qualified-assignments';
import type { QualifiedAssignmentsResponse } from '../qualifying/qualification.wire';
import { KnownAssets } from '../rendering/known-assets';
import type { RequestParties } from '../request/redeemables-request';
import { answeredTrackingId } from '../tracking/identity-of-request';
import type { TrackingIds } from '@scrip/wire/qualification';
import { InjectTrackingIds } from '../tracking/tracking-id.provider';
import {
  type CampaignsQualificationQuery,
  sortedBy,
  type SortedBy,
  type VouchersQualificationQuery,
} from './legacy-qualification.query';
import {
  type CampaignsQualificationResponse,
  renderQualifiedCampaign,
  renderQualifiedVoucher,
  type VouchersQualificationResponse,
} from './legacy-qualification.wire';

/** Vouchers that one call looks at. Source: reference 02 §9. */
const examinedVouchersMax = 50;

/** One that qualifies, and what became of its rules. */
interface Qualifying {
  one: Found;
  assignments: QualifiedAssignmentsResponse;
}

type Query = CampaignsQualificationQuery | VouchersQualificationQuery;

/** Codes and campaigns have one part, which is a voucher: of a campaign one that could be published. */
const ownerOf = ({ loaded }: Found): RedeemableVoucher => loaded.parts[0]!.found as RedeemableVoucher;

const campaignOf = (one: Found) => ownerOf(one).campaign!;

const campaignsBy: SortedBy<'created_at' | 'updated_at' | 'type' | 'code' | 'category' | 'campaign', Found> =
  {
    created_at: (one) => campaignOf(one).created_at,
    updated_at: (one) => campaignOf(one).updated_at,
    type: (one) => campaignOf(one).type,
    // A campaign has no code.
    code: () => null,
    category: (one) => campaignOf(one).category,
    campaign: (one) => campaignOf(one).name,
  };

const vouchersBy: SortedBy<'created_at' | 'updated_at' | 'code', Found> = {
  created_at: (one) => ownerOf(one).voucher.created_at,
  updated_at: (one) => ownerOf(one).voucher.updated_at,
  code: (one) => ownerOf(one).voucher.code,
};

const soughtFor = (
  kind: Extract<CandidateKind, 'campaign' | 'voucher'>,
  mode: Sought['judgement']['mode'],
  { audienceRulesOnly }: Query,
): Sought => {
  const space = audienceRulesOnly ? 'AUDIENCE' : 'QUALIFY';
  return {
    scope: { index: { space, terms: space, kinds: [kind] }, held: null },
    judgement: { mode, products: null },
    filters: {},
    countsLimits: true,
  };
};

/** Finds campaigns and generic vouchers that qualify, limits included. Source: reference 02 §9. */
@Injectable()
export class LegacyQualification {
  constructor(
    private readonly searches: CandidateSearches,
    private readonly assignments: AssignmentReads,
    private readonly assets: KnownAssets,
    @InjectPort(campaignsPort) private readonly owner: CampaignsPort,
    @InjectTrackingIds() private readonly tracking: TrackingIds,
  ) {}

  /** Stores nothing. Refuses an unknown customer or order, and an order that cannot be calculated with. */
  async campaigns(
    context: RequestContext,
    request: RequestParties,
    query: CampaignsQualificationQuery,
  ): Promise<CampaignsQualificationResponse | QualificationRefusal> {
    const mode = query.audienceRulesOnly ? 'AUDIENCE_ONLY_LEGACY' : 'FULL_CAMPAIGN';
    const search = await this.searches.begin(context, request, soughtFor('campaign', mode, query));
    if (isRefused(search)) return search;
    const { order, limit } = query;
    const found = await this.searches.find(context, search, {
      after: null,
      // Candidates come the newest first.
      until: (some) => order === '-created_at' && some.length >= limit,
      examined: examinedMax,
    });
    if (isRefused(found)) return found;
    const shown = sortedBy(found.found, order, campaignsBy).slice(0, limit);
    const [page, campaigns] = await Promise.all([
      this.withRules(context, shown),
      this.countedCampaigns(context, shown),
    ]);
    const data = page.flatMap(({ one, assignments }) => {
      const campaign = campaigns.get(one.loaded.shownId);
      return campaign ? renderQualifiedCampaign(campaign, assignments) : [];
    });
    return { ...this.listOf(context, request, search), data, total: data.length };
  }

  /** The same of generic vouchers: the newest that the index finds are looked at. */
  async vouchers(
    context: RequestContext,
    request: RequestParties,
    query: VouchersQualificationQuery,
  ): Promise<VouchersQualificationResponse | QualificationRefusal> {
    const mode = query.audienceRulesOnly ? 'AUDIENCE_ONLY_LEGACY_VOUCHER' : 'FULL';
    const search = await this.searches.begin(context, request, soughtFor('voucher', mode, query));
    if (isRefused(search)) return search;
    const { order, limit } = query;
    const looked = { after: null, until: () => false, examined: examinedVouchersMax };
    const found = await this.searches.find(context, search, looked);
    if (isRefused(found)) return found;
    const page = await this.withRules(context, sortedBy(found.found, order, vouchersBy).slice(0, limit));
    const data = page.map(({ one, assignments }) => {
      const { voucher } = ownerOf(one);
      const assets = this.assets.of(context.project.id, voucher.code);
      return renderQualifiedVoucher(voucher, assets, one.parts[0]!, assignments);
    });
    return { ...this.listOf(context, request, search), data, total: data.length };
  }

  private async withRules(context: RequestContext, found: readonly Found[]): Promise<Qualifying[]> {
    const objects = found.flatMap(({ loaded }) => loaded.ruled.flat());
    const lists = listsByObject(await this.assignments.shownOf(context.project.id, objects));
    return found.map((one) => {
      const { loaded, parts } = one;
      const assignments = assignmentsOf(lists, loaded.ruled[0]!, parts[0]!.rules);
      return { one, assignments };
    });
  }

  /** The campaigns with all their codes counted; those that were deleted meanwhile are not among them. */
  private async countedCampaigns(
    context: RequestContext,
    found: readonly Found[],
  ): Promise<ReadonlyMap<string, CampaignSnapshot>> {
    const objects = found.map(({ loaded }) => ({ type: 'campaign' as const, id: loaded.shownId }));
    const counted = await loadAllQualifying(this.owner, context, objects, { countsCodes: true });
    return new Map(
      counted.flatMap((one) =>
        one && 'campaign' in one && one.campaign ? [[one.campaign.id, one.campaign]] : [],
      ),
    );
  }

  private listOf(
    context: RequestContext,
    request: RequestParties,
    { customer, judged }: CandidateSearch,
  ): Omit<CampaignsQualificationResponse, 'data' | 'total'> {
    return {
      object: 'list',
      data_ref: 'data',
      id: newId('qfl_'),
      created_at: judged.now.toISOString(),
      // Only browsers are not told it.
      tracking_id: answeredTrackingId(this.tracking, context, request, customer)!,
    };
  }
}
