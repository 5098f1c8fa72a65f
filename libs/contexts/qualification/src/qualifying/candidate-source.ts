import { Injectable } from '@nestjs/common';
import {
  type CampaignsPort,
  campaignsPort,
  type HeldPage,
  loadAllQualifying,
} from '@scrip/contracts/campaigns';
import { loadAll } from '@scrip/contracts/claims';
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
import { type CandidateFilters, passes } from '../candidates/candidate-filters';
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

const nothingHeld: HeldPage = { held: [], next: null };

/** Newest first, of one instant the later id first. */
const byPlace = (one: Place, other: Place): number => {
  const [left, right] = [`${one.created_at} ${one.id}`, `${other.created_at} ${other.id}`];
  if (left === right) return 0;
  return left < right ? 1 : -1;
};

/** Each place once, in their order. */
const inOrder = (places: readonly Place[]): Place[] =>
  [...new Map(places.map((place) => [place.id, place])).values()].sort(byPlace);

/** Loads candidates of the index and of the customer's wallet as one list: of each owner by one call a page, or several where they
 *  are large. */
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
    const [found, { held: codes, next }] = await Promise.all([
      index ? this.candidates.find(context, { ...index, filters, after, limit }) : [],
      held ? this.campaigns.listHeld(context, { ...held, after, limit }) : nothingHeld,
    ]);
    const ofHeld = codes.map((code) => loadedVoucher(code));
    // Behind the last code that was looked at, there may be others between those that the index found.
    const places = inOrder([...found, ...ofHeld.map(({ place }) => place), ...(next ? [next] : [])]);
    const examined = places.filter((place) => next === null || byPlace(place, next) <= 0).slice(0, limit);
    const last = examined.at(-1);
    const isWithin = (place: Place): boolean => last !== undefined && byPlace(place, last) <= 0;
    const loaded = await this.load(context, found.filter(isWithin));
    return {
      loaded: [
        ...loaded,
        ...ofHeld.filter(({ place, filtered }) => isWithin(place) && passes(filters, filtered)),
      ].sort((one, other) => byPlace(one.place, other.place)),
      examined,
      ended: found.length < limit && next === null && places.length === examined.length,
    };
  }

  private async load(context: RequestContext, found: readonly FoundCandidate[]): Promise<LoadedCandidate[]> {
    const ofCampaigns = found.flatMap(({ kind: type, id }) =>
      type === 'campaign' || type === 'voucher' ? [{ type, id }] : [],
    );
    const promotions = found.flatMap(({ kind, id }) =>
      kind === 'promotion_tier' || kind === 'promotion_stack' ? [id] : [],
    );
    const [codes, tiers] = await Promise.all([
      loadAllQualifying(this.campaigns, context, ofCampaigns),
      loadAll(this.promotions, context, promotions),
    ]);
    return [
      ...codes.flatMap((one) => {
        if (one === null) return [];
        if ('voucher' in one) return loadedVoucher(one);
        const code = codeOfCampaign(one.campaign);
        return code ? loadedVoucher(code, 'campaign') : [];
      }),
      ...tiers.flatMap((one) => {
        if (isRefused(one)) return [];
        return 'promotion_stack' in one ? loadedStack(one) : loadedTier(one);
      }),
    ];
  }
}
