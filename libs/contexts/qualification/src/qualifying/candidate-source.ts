import { Injectable } from '@nestjs/common';
import { type CampaignsPort, campaignsPort } from '@scrip/contracts/campaigns';
import { type PromotionsPort, promotionsPort } from '@scrip/contracts/promotions';
import { type RequestContext, isRefused } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import {
  CandidateReads,
  type CandidatesWanted,
  type FoundCandidate,
  type Place,
} from '../candidates/candidates.reads';
import { codeOfCampaign } from './campaign-code';
import { type CandidateFilters, passes } from './candidate-filters';
import { type LoadedCandidate, loadedStack, loadedTier, loadedVoucher } from './loaded-candidate';

/** Where candidates of one request come from. `index` null, `held` null: not from there. */
export interface SourceWanted {
  readonly index: Omit<CandidatesWanted, 'after' | 'limit' | 'filters'> | null;
  readonly held: { readonly customer_id: string; readonly among: 'BULK' | 'ALL' } | null;
  readonly filters: CandidateFilters;
}

/** Some candidates in their order. `examined`: the places that were looked at, those among them that do not exist any more or
 *  do not pass the filters; `ended`: there are no more. */
export interface CandidatePage {
  readonly loaded: readonly LoadedCandidate[];
  readonly examined: readonly Place[];
  readonly ended: boolean;
}

/** Newest first, of one instant the later id first. */
const byPlace = (one: Place, other: Place): number => {
  const [left, right] = [`${one.created_at} ${one.id}`, `${other.created_at} ${other.id}`];
  if (left === right) return 0;
  return left < right ? 1 : -1;
};

/** Loads candidates of the index and of the customer's wallet as one list: of each owner by one call a page. */
@Injectable()
export class CandidateSource {
  constructor(
    private readonly candidates: CandidateReads,
    @InjectPort(campaignsPort) private readonly campaigns: CampaignsPort,
    @InjectPort(promotionsPort) private readonly promotions: PromotionsPort,
  ) {}

  /** A page behind `after`; null: from the newest one on. `limit`: at most `qualifyingPerCall`. */
  async page(
    context: RequestContext,
    { index, held, filters }: SourceWanted,
    { after, limit }: { after: Place | null; limit: number },
  ): Promise<CandidatePage> {
    const [found, codes] = await Promise.all([
      index ? this.candidates.find(context, { ...index, filters, after, limit }) : [],
      held ? this.campaigns.listHeld(context, { ...held, after, limit }).then((answer) => answer.held) : [],
    ]);
    const ofHeld = codes.map((code) => loadedVoucher(code));
    const examined = [...found, ...ofHeld.map(({ place }) => place)].sort(byPlace).slice(0, limit);
    const last = examined.at(-1);
    const isWithin = (place: Place): boolean => last !== undefined && byPlace(place, last) <= 0;
    const loaded = await this.load(context, found.filter(isWithin));
    return {
      loaded: [
        ...loaded,
        ...ofHeld.filter(({ place, filtered }) => isWithin(place) && passes(filters, filtered)),
      ].sort((one, other) => byPlace(one.place, other.place)),
      examined,
      ended: found.length < limit && codes.length < limit && found.length + codes.length === examined.length,
    };
  }

  private async load(context: RequestContext, found: readonly FoundCandidate[]): Promise<LoadedCandidate[]> {
    const idsOf = (...kinds: FoundCandidate['kind'][]): string[] =>
      found.flatMap(({ kind, id }) => (kinds.includes(kind) ? [id] : []));
    const [campaigns, vouchers] = [idsOf('campaign'), idsOf('voucher')];
    const promotions = idsOf('promotion_tier', 'promotion_stack');
    const [codes, tiers] = await Promise.all([
      campaigns.length + vouchers.length > 0
        ? this.campaigns.loadQualifying(context, { campaigns, vouchers })
        : { campaigns: [], vouchers: [] },
      promotions.length > 0 ? this.promotions.load(context, { objects: promotions }) : [],
    ]);
    return [
      ...codes.campaigns.flatMap((campaign) => {
        const code = codeOfCampaign(campaign);
        return code ? loadedVoucher(code, 'campaign') : [];
      }),
      ...codes.vouchers.map((voucher) => loadedVoucher(voucher)),
      ...tiers.flatMap((one) => {
        if (isRefused(one)) return [];
        return 'promotion_stack' in one ? loadedStack(one) : loadedTier(one);
      }),
    ];
  }
}
